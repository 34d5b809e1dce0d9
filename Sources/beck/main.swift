/// Starts the program. What it can do stands in Beck.swift.

import Foundation

exit(Beck.run(Array(CommandLine.arguments.dropFirst())))
