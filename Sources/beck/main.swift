/// The program's door: which subcommand, and nothing else.

import Glibc

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "serve": exit(Serve.run(Array(words.dropFirst())))
default:
  complain("usage: beck serve")
  exit(64)
}
