/// `ChatRoom HOST PORT NAME`: joins a chat room, prints what is said there and says the lines of
/// standard input. Ends at the input's end, or when the server ends.

#if canImport(Darwin)
  import Foundation
#else
  import SocketStreams
#endif

/// Prints the room's lines and ends the program with the room.
final class Printer: ChatRoomDelegate {
  func chatRoom(_ room: ChatRoom, received line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  func chatRoom(_ room: ChatRoom, endedWith error: (any Error)?) {
    guard let error else { exit(0) }
    complain("The chat room is out of reach: \(error.localizedDescription)")
    exit(1)
  }
}

func complain(_ sentence: String) {
  FileHandle.standardError.write(Data((sentence + "\n").utf8))
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[2]), (1...65_535).contains(port) else {
  complain("usage: ChatRoom HOST PORT NAME")
  exit(2)
}

let printer = Printer()
let room = ChatRoom()
room.delegate = printer
room.join(host: arguments[1], port: port, name: arguments[3])

// Standard input blocks, so a thread of its own reads it and hands each line to the main one.
let keyboard = Thread {
  while let line = readLine() {
    DispatchQueue.main.async { room.say(line) }
  }
  DispatchQueue.main.async { room.leave() }
}
keyboard.start()
RunLoop.main.run()
