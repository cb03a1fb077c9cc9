// Between the viewer and the server: requests for parts of a large tile go out, the parts come in. See js/crops.js.

const channels = new WeakMap();

export default function cropChannel(component) {
  const root = component.parentElement;
  let channel = channels.get(root);
  if (!channel) {
    channel = {};
    channel.listen = (event) => {
      if (event.detail.name !== channel.name) return;
      event.detail.isTaken = true;
      channel.send("wanted", event.detail.request);
    };
    document.addEventListener("orthoscope-crop-wanted", channel.listen);
    channels.set(root, channel);
  }
  channel.name = component.data.name;
  channel.send = component.setTriggerValue;
  document.dispatchEvent(new CustomEvent("orthoscope-crop", { detail: component.data }));
  // Also called for a run that a later one has overtaken: then the element is still there.
  return () => setTimeout(() => {
    if (root.isConnected) return;
    document.removeEventListener("orthoscope-crop-wanted", channel.listen);
    channels.delete(root);
  });
}
