#!/bin/sh
# The browser tests drive a Chromium that is installed already, or one that can be had: from Debian's packages
# (as root), or from Playwright's own store.
set -eu
python="$1"
for name in chromium chromium-browser google-chrome google-chrome-stable chrome msedge; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests ..."
    apt-get update -qq
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; then exit 0; fi
fi
if "$python" -m playwright install chromium; then exit 0; fi
echo "The browser tests need Chromium or Chrome. Install it (Debian: apt-get install chromium) and try again." >&2
exit 1
