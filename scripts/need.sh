# Sourced by ./run, ./test and the Makefile's targets: sees that what a build needs is there.
# Says in one sentence what to do where it cannot go on.

give_up() {
  echo "beck: $1" >&2
  exit 1
}

need_swift() {
  command -v swift >/dev/null 2>&1 ||
    give_up "no 'swift' found; install a Swift toolchain of 6.2 or later from https://www.swift.org/install and have it in PATH"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
  set -- $version
  [ "${1:-0}" -gt 6 ] || { [ "${1:-0}" -eq 6 ] && [ "${2:-0}" -ge 2 ]; } ||
    give_up "Swift 6.2 or later is needed, this one is ${1:-unknown}.${2:-}; a newer one is at https://www.swift.org/install"
}

# need_packages FILE PACKAGE [FILE PACKAGE ...]: installs the packages of those files that are absent.
need_packages() {
  missing=
  while [ $# -gt 0 ]; do
    [ -e "$1" ] || command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
    shift 2
  done
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      give_up "these packages are missing and there is no sudo to install them; as root: apt-get install$missing"
    as_root=sudo
  fi
  echo "installing:$missing"
  # A new machine has no package lists yet; an old list is good enough where it works.
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $missing >/dev/null 2>&1 ||
    { $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $missing >/dev/null; } ||
    give_up "apt-get could not install$missing; look at the network, then try again"
}

need_libraries() {
  case $(uname -s) in
    Linux)
      command -v apt-get >/dev/null 2>&1 ||
        give_up "this system has no apt-get; install the development files of libuv, libutf8proc, OpenSSL 3, SQLite 3, libsodium and zlib by hand, then run: swift build -c release"
      need_packages pkg-config pkg-config \
        /usr/include/uv.h libuv1-dev /usr/include/utf8proc.h libutf8proc-dev \
        /usr/include/openssl/ssl.h libssl-dev /usr/include/sqlite3.h libsqlite3-dev \
        /usr/include/sodium.h libsodium-dev /usr/include/zlib.h zlib1g-dev
      ;;
    Darwin)
      # Untested: no such machine was at hand.
      command -v brew >/dev/null 2>&1 ||
        give_up "Homebrew is needed for libuv, utf8proc, OpenSSL, SQLite, libsodium and zlib; it is at https://brew.sh"
      for formula in pkg-config libuv utf8proc openssl@3 sqlite libsodium zlib; do
        brew list "$formula" >/dev/null 2>&1 || brew install "$formula" ||
          give_up "brew could not install $formula; look at the network, then try again"
      done
      ;;
    *) give_up "$(uname -s) is not supported; beck is built on Linux (tested) and macOS (untested)" ;;
  esac
}
