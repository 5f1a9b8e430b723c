#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Provide a real VS Code (code-server, the server build of VS Code) and a browser driver under DIR, from package
# registries alone. Does nothing when DIR already holds this version. Called by `make window` and by the tests; needs Node
# 20+ and, for chromium and ripgrep, either the packages installed or the right to install them.
#   usage: provision.sh DIR
set -euo pipefail
dir=$(mkdir -p "${1:?usage: provision.sh DIR}" && cd "$1" && pwd)
code_server=4.100.3 playwright=1.65.1
stamp=$dir/.provisioned-$code_server-$playwright-3
[[ -f $stamp ]] && exit 0

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v rg >/dev/null || missing+=(ripgrep)
if ((${#missing[@]})); then
  if [[ $(id -u) -ne 0 ]]; then
    echo "the VS Code test needs: ${missing[*]}; install them with: sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

export npm_config_audit=false npm_config_fund=false npm_config_prefer_offline=true
mkdir -p "$dir/code-server" "$dir/driver"
cd "$dir/driver"
echo '{"private":true}' >package.json
npm install --silent --ignore-scripts "playwright-core@$playwright" &
driver=$!
cd "$dir/code-server"
echo '{"private":true}' >package.json
npm install --silent --ignore-scripts "code-server@$code_server"
# A native module that hashes passwords, and there are none: it is not built.
echo 'module.exports = {};' >node_modules/argon2/argon2.js
server=$dir/code-server/node_modules/code-server
cd "$server/lib/vscode"
npm install --silent --ignore-scripts --omit=dev
# What the package's install script does, less its download of a search tool.
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sfn "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
# node-pty is needed for the integrated terminal; its install script asks npx for node-gyp, so run it directly.
gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
(cd node_modules/node-pty && node "$gyp" rebuild --nodedir=/usr >"$dir/node-pty.log" 2>&1) ||
  echo "node-pty did not build: the integrated terminal will not work (see $dir/node-pty.log)" >&2
wait "$driver"
touch "$stamp"
