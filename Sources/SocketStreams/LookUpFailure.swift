/// Why a look-up gave no address: getaddrinfo's code, and which of several codes tells most.

internal import Glibc

package struct LookUpFailure: Error, Hashable, Sendable {
  /// One of getaddrinfo's EAI codes.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  // Two of glibc's codes that Swift's Glibc module lacks.
  /// EAI_NODATA: the name exists, but has no address of the family.
  package static let noData = LookUpFailure(code: -5)
  /// EAI_ADDRFAMILY: the same, as some of glibc's sources say it.
  package static let addressFamily = LookUpFailure(code: -9)

  /// A code that says why nothing is known (EAI_AGAIN, EAI_FAIL, EAI_SYSTEM ...) tells more than
  /// "no such name", and that more than "no address of this family", which is true of one family
  /// only. Of equally telling codes the first.
  static func mostTelling(of codes: [Int32]) -> Int32 {
    func rank(_ code: Int32) -> Int {
      switch code {
      case noData.code: 2
      case addressFamily.code: 3
      case EAI_NONAME: 1
      default: 0
      }
    }
    return codes.min { rank($0) < rank($1) } ?? EAI_NONAME
  }
}
