/// Server-sent events (the HTML standard, 9.2): what followers of a room are told.

internal import ChatModel
internal import Wire

enum EventStream {
  /// Appends one event. Its id is the cursor that a browser gives back as `Last-Event-ID`; its data
  /// is the line that a program would be told.
  static func encode(_ event: Event, into out: inout [UInt8]) {
    let start = out.count
    if let cursor = cursor(of: event) { out += Array("id: \(cursor)\n".utf8) }
    out.append(ascii: "data: ")
    let beginning = out.count
    // A line of JSON has no line feed inside; it brings one of its own.
    JSONSpelling.encode(event, isOwn: false, into: &out)
    guard out.count > beginning else {
      out.removeSubrange(start...)
      return
    }
    out.append(0x0A)
  }

  private static func cursor(of event: Event) -> Int64? {
    switch event {
    case .message(let message, in: _): message.seq
    case .gap(_, let numbers): numbers.upperBound
    case .caughtUp(_, let seq): seq
    case _: nil
    }
  }
}
