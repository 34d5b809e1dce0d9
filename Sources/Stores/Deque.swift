/// First in, first out, and anything between by its place. Knows nothing of messages.

/// A queue whose elements have places, counted from its front.
///
/// Both ends cost constant time, amortised: the front moves on in the array, which is cut when
/// more than half of it lies before the front.
struct Deque<Element> {
  private var elements: [Element?] = []
  private var front = 0

  var count: Int { elements.count - front }
  var first: Element? { count > 0 ? elements[front] : nil }

  subscript(place: Int) -> Element {
    get {
      guard let element = elements[front + place] else {
        preconditionFailure("what lies behind the front is there")
      }
      return element
    }
    set { elements[front + place] = newValue }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      elements[front] = nil
      front += 1
      if front > 32, front > elements.count / 2 {
        elements.removeFirst(front)
        front = 0
      }
    }
    return elements[front]
  }

  mutating func keep(where isKept: (Element) -> Bool) {
    elements = elements[front...].filter { element in element.map(isKept) ?? false }
    front = 0
  }
}
