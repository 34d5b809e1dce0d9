/// Certificates to test TLS with, good ones and one for each way to be bad. Made once a process by
/// the `openssl` program, in a folder that is gone when the process ends.

import Foundation

/// A folder of certificates. Each kind has a chain in PEM, the own certificate first, and a key.
package struct Certificates: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// For localhost, *.wild.test, 127.0.0.1 and ::1, under an intermediate under the root.
    case good
    /// A day in 2020 was its last.
    case expired
    /// Good itself, under an intermediate that expired in 2020.
    case expiredIntermediate = "under-expired"
    /// A day in 2090 is its first.
    case notYetValid = "early"
    /// For other.test and 192.0.2.1.
    case wrongHost = "other-host"
    /// For localhost, with no SAN but only a common name.
    case commonName = "common-name"
    case selfSigned = "self-signed"
    /// Under an intermediate under a root that is not trusted; both are sent but the root.
    case unknownAuthority = "unknown"
    /// Right under that root, sent alone.
    case unknownAuthorityAlone = "unknown-alone"
    /// Sent without its intermediate, telling where that is to be had.
    case missingIntermediate = "missing"
    /// Sent with an intermediate of the right name and another key.
    case wrongSignature = "wrong-signature"
    /// Issued by the good one, which is no authority.
    case notAuthority = "not-authority"
    /// Under an intermediate below one that may have none below it.
    case pathTooLong = "long"
    /// Under an authority whose name holds control characters and is long.
    case disguised
    /// For seven hosts, none of them this one.
    case manyNames = "many"
    /// A client's, not made for servers.
    case client
    /// A client's, under the root that is not trusted.
    case unknownClient = "unknown-client"
  }

  package let folder: String

  /// The certificates of this process.
  package static func made() throws -> Certificates {
    let certificates = try shared.get()
    _ = removal
    return certificates
  }

  private static let shared = Result { try Certificates() }
  private static let removal = atexit {
    guard case .success(let certificates) = Certificates.shared else { return }
    try? FileManager.default.removeItem(atPath: certificates.folder)
  }

  private init() throws {
    var path = Array("/tmp/beck-certificates-\(String(repeating: "X", count: 6))".utf8CString)
    guard mkdtemp(&path) != nil else { throw Failure.system("mkdtemp") }
    folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let child = try ChildProcess(
      running: ["sh", "-eu", "-s", folder], input: .file(certificateScript))
    let ending = try child.ending()
    guard ending.status == 0 else { throw Failure("certificates: \(ending.errors.suffix(800))") }
  }

  package func chainPath(_ kind: Kind) -> String { "\(folder)/\(kind.rawValue).pem" }
  package func keyPath(_ kind: Kind) -> String { "\(folder)/\(kind.rawValue).key" }
  /// The one root that the tests trust.
  package var rootPath: String { "\(folder)/root.pem" }
  /// The good one as PKCS #12; the password is `secret`.
  package var pkcs12Path: String { "\(folder)/good.p12" }
  /// The good one's key under the password `secret`.
  package var encryptedKeyPath: String { "\(folder)/good-encrypted.key" }

  package func chain(_ kind: Kind) throws -> [UInt8] { try Self.bytes(chainPath(kind)) }
  package func key(_ kind: Kind) throws -> [UInt8] { try Self.bytes(keyPath(kind)) }
  package func root() throws -> [UInt8] { try Self.bytes(rootPath) }

  package static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

private let certificateScript = #"""
  cd "$1"
  cat > ca.conf <<'END'
  [ca]
  default_ca = here
  [here]
  database = index.txt
  new_certs_dir = issued
  rand_serial = yes
  unique_subject = no
  default_md = sha256
  policy = any
  [any]
  commonName = supplied
  [req]
  distinguished_name = none
  [none]
  END
  mkdir issued
  : > index.txt
  from=20250101000000Z
  to=20750101000000Z
  place='subjectAltName=DNS:localhost,DNS:*.wild.test,IP:127.0.0.1,IP:::1'
  leaf="basicConstraints=CA:false\nauthorityKeyIdentifier=keyid"
  authority='basicConstraints=critical,CA:true\nkeyUsage=keyCertSign\nsubjectKeyIdentifier'
  server='extendedKeyUsage=serverAuth'

  # key NAME SUBJECT: NAME.key and NAME.csr
  key() {
    openssl req -new -config ca.conf -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -utf8 \
      -keyout "$1.key" -subj "/CN=$2" -out "$1.csr"
  }
  # issue NAME SUBJECT ISSUER EXTENSIONS: NAME.crt and its key
  issue() {
    key "$1" "$2"
    printf '%b\n' "$4" > "$1.ext"
    if [ "$3" = "$1" ]; then by=-selfsign; else by="-cert $3.crt"; fi
    openssl ca -batch -notext -config ca.conf $by -keyfile "$3.key" -in "$1.csr" -out "$1.crt" \
      -extfile "$1.ext" -startdate "$from" -enddate "$to"
  }
  # chain NAME CERTIFICATE...: NAME.pem
  chain() {
    name=$1
    shift
    for part; do cat "$part.crt"; done > "$name.pem"
  }

  issue root 'Beck Test Root' root "$authority=hash"
  issue middle 'Beck Test Intermediate' root "$authority=0102030405"
  issue impostor 'Beck Test Intermediate' root "$authority=0102030405"
  issue other-root 'Unknown Root' other-root "$authority=hash"
  issue other-middle 'Unknown Intermediate' other-root "$authority=hash"
  disguise=$(printf 'Evil\033[31m\342\200\256%050d' 1)
  issue other-disguised "$disguise" other-disguised "$authority=hash"
  issue narrow 'Narrow Authority' root \
    'basicConstraints=critical,CA:true,pathlen:0\nkeyUsage=keyCertSign\nsubjectKeyIdentifier=hash'
  issue below-narrow 'Below The Narrow One' narrow "$authority=hash"
  chain root root

  issue good localhost middle "$leaf\n$place\n$server"
  issue other-host other.test middle "$leaf\n$server\nsubjectAltName=DNS:other.test,IP:192.0.2.1"
  issue common-name localhost middle "$leaf\n$server"
  issue self-signed localhost self-signed "basicConstraints=CA:false\n$place\n$server"
  issue unknown localhost other-middle "$leaf\n$place\n$server"
  issue unknown-alone localhost other-root "$leaf\n$place\n$server"
  issue missing localhost middle \
    "$leaf\n$place\n$server\nauthorityInfoAccess=caIssuers;URI:http://ca.test/middle.crt"
  issue not-authority localhost good "$leaf\n$place\n$server"
  issue long localhost below-narrow "$leaf\n$place\n$server"
  issue client 'A Client' middle "$leaf\nextendedKeyUsage=clientAuth"
  issue unknown-client 'A Stranger' other-root "$leaf\nextendedKeyUsage=clientAuth"
  issue disguised localhost other-disguised "$leaf\n$place\n$server"
  names=DNS:a.test,DNS:b.test,DNS:c.test,DNS:d.test,DNS:e.test,DNS:f.test,DNS:g.test
  issue many a.test middle "$leaf\n$server\nsubjectAltName=$names"
  cp good.key wrong-signature.key
  from=20190101000000Z to=20200131235959Z
  issue expired localhost middle "$leaf\n$place\n$server"
  issue old-middle 'Old Intermediate' root "$authority=hash"
  from=20900301000000Z to=20990101000000Z
  issue early localhost middle "$leaf\n$place\n$server"
  from=20250101000000Z to=20750101000000Z
  issue under-expired localhost old-middle "$leaf\n$place\n$server"

  for name in good expired early other-host common-name many client; do
    chain $name $name middle
  done
  chain self-signed self-signed
  chain unknown unknown other-middle
  chain unknown-alone unknown-alone
  chain disguised disguised
  chain unknown-client unknown-client
  chain missing missing
  chain wrong-signature good impostor
  chain not-authority not-authority good middle
  chain long long below-narrow narrow
  chain under-expired under-expired old-middle
  openssl pkcs12 -export -in good.crt -inkey good.key -certfile middle.crt -passout pass:secret \
    -out good.p12
  openssl pkey -in good.key -aes256 -passout pass:secret -out good-encrypted.key
  """#
