/// Passwords hashed as anybody could turn back, at once. Asserts nothing.

import ChatHub
import ChatModel

/// What becomes of work on a password.
func outcome(of work: PasswordWork) -> PasswordOutcome {
  switch work {
  case .check(let password, let known): known == hash(of: password.string) ? .right : .wrong
  case .make(let password): .made(hash(of: password.string))
  case .replace(let old, let known, let new):
    known == hash(of: old.string) ? .made(hash(of: new.string)) : .wrong
  }
}

func hash(of secret: String) -> PasswordHash {
  guard let hash = PasswordHash("hash-of-" + secret.replacing(" ", with: "_")) else {
    preconditionFailure("'\(secret)' has a hash")
  }
  return hash
}
