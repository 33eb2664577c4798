import Foundation
import Synchronization
import TenureClient
import TenureContent
import TenureContentClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureVault

/// A device with a library in a folder, and a server without a network.
struct BenchTablet {
    let folder: String
    let owner: LedgerOwner
    let key: Ed25519.PrivateKey
    private let binding = [UInt8](repeating: 9, count: 32)

    init(folder: String) throws {
        self.folder = folder
        guard let tenant = TenantID("acme"), let device = Digest([UInt8](repeating: 1, count: 32)) else {
            throw BenchFailure("the tablet has no name")
        }
        owner = LedgerOwner(tenant: tenant, holder: "mia", device: device)
        key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 7, count: 32))
    }

    /// The path of the ledger's file.
    var path: String { "\(folder)/\(owner.fileName)" }

    /// Opens the library, as an app does at launch.
    func library(
        over server: any HTTPTransport = NoServer(), writing sizes: WrittenSizes? = nil,
        millis: @escaping @Sendable () -> Int64 = { 0 }
    ) throws -> ContentLibrary {
        guard let address = ServerAddressBase("https://content.example") else { throw BenchFailure("no address") }
        let clock = SystemDeviceClock()
        let service = ContentService(
            address, owner: owner, keys: ContentKeys(pinned: ["k1": key.publicKey], trust: .pinned), over: server,
            quickly: server, now: { clock.read().wall.timestamp })
        let clocks = ContentClocks(device: clock, millis: millis)
        let file = try LedgerFile(folder: folder, name: owner.fileName)
        guard let sizes else {
            return try ContentLibrary(owner: owner, disk: file, binding: binding, service: service, clocks: clocks)
        }
        return try ContentLibrary(
            owner: owner, disk: CountingDisk(file, sizes), binding: binding, service: service, clocks: clocks)
    }

    /// Stores `count` items, a hundred at a time.
    func fill(_ count: Int) throws {
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let durableLedger = try DurableLedger(
            try LedgerFile(folder: folder, name: owner.fileName), owner: owner, binding: binding)
        try durableLedger.append([.note(.token(HolderToken("t-mia")))])
        for first in stride(from: 1, through: count, by: 100) {
            var entries: [LedgerEntry] = []
            for number in first..<min(count + 1, first + 100) {
                let grant = try grant(number, version: 1, at: now)
                entries += [
                    .content(ContentFacts(grant.content, title: "Lesson \(number)", course: "algebra")),
                    .grant(grant, proof: grant.signed(kid: "k1", with: key)),
                    .use(grant.license, ContentLedger(grant), acknowledged: 0),
                ]
            }
            try durableLedger.append(entries)
        }
    }

    /// A version of an item's grant, for 30 days and three plays.
    func grant(_ number: Int, version: Int64, at now: Timestamp) throws -> ContentGrant {
        var terms = ContentTerms()
        terms.expiresAt = now.adding(days: 30)
        terms.plays = 3
        terms.renewFrom = now.adding(days: 27)
        guard let content = ContentID("lesson-\(number)"), let license = ContentLicenseID(number: Int64(number)),
            let enrolment = EnrolmentID(number: 3)
        else { throw BenchFailure("a content has no name") }
        return ContentGrant(
            tenant: owner.tenant, license: license, enrolment: enrolment, content: content, device: owner.device,
            request: "request-0001", version: version, issuedAt: now, terms: terms, settled: 0)
    }
}

/// Why a measurement failed.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The number of bytes of each write.
final class WrittenSizes: Sendable {
    private let sizes = Mutex<[Int]>([])

    var all: [Int] { sizes.withLock { $0 } }

    func add(_ size: Int) { sizes.withLock { $0.append(size) } }
}

/// The ledger's file; records the number of bytes of each write.
final class CountingDisk: LedgerDisk {
    private let file: LedgerFile
    private let sizes: WrittenSizes

    init(_ file: LedgerFile, _ sizes: WrittenSizes) {
        self.file = file
        self.sizes = sizes
    }

    var name: String { file.name }

    func read() throws(VaultError) -> [UInt8]? { try file.read() }

    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] { try file.read(at: offset, count: count) }

    func write(_ bytes: [UInt8], at offset: Int) throws(VaultError) {
        sizes.add(bytes.count)
        try file.write(bytes, at: offset)
    }

    func synchronize() throws(VaultError) { try file.synchronize() }

    func truncate(to length: Int) throws(VaultError) { try file.truncate(to: length) }

    func replace(_ bytes: [UInt8]) throws(VaultError) { try file.replace(bytes) }

    func setAside() throws(VaultError) { try file.setAside() }
}

/// A server that must not receive a request.
struct NoServer: HTTPTransport {
    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        throw TransportError(.couldNotConnect, "There is no network.")
    }
}

/// A server that sends prepared responses to renewals.
final class ReadyServer: HTTPTransport {
    private let key: Ed25519.PrivateKey
    private let tenant: TenantID
    private let answers: Mutex<ArraySlice<[UInt8]>>

    /// Prepares responses for renewals in this order, a hundred items each.
    init(_ tablet: BenchTablet, renewing order: [Int], at now: Timestamp) throws {
        key = tablet.key
        tenant = tablet.owner.tenant
        var answers: [[UInt8]] = []
        for first in stride(from: 0, to: order.count, by: 100) {
            let grants = try order[first..<min(order.count, first + 100)].map {
                try tablet.grant($0, version: 2, at: now)
            }
            answers.append(Self.answer(grants, at: now, tablet.key))
        }
        self.answers = Mutex(answers[...])
    }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        if let nonce = request.url.components(separatedBy: "/time?nonce=").dropFirst().first {
            let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
            guard let time = ContentTime(tenant: tenant, nonce: nonce, at: now) else {
                return Response(status: 422)
            }
            let signed = String(decoding: time.signed(kid: "k1", with: key), as: UTF8.self)
            return Response(status: 200, body: JSONWriter.object { $0.member("time", signed) })
        }
        guard request.url.hasSuffix("/renewals"), let answer = answers.withLock({ $0.popFirst() }) else {
            return Response(status: 404)
        }
        return Response(status: 200, body: answer)
    }

    private static func answer(_ grants: [ContentGrant], at now: Timestamp, _ key: Ed25519.PrivateKey) -> [UInt8] {
        JSONWriter.object { body in
            body.array("items") { list in
                for grant in grants {
                    list.object { item in
                        item.member("license", grant.license.description)
                        item.member("content", grant.content.text)
                        item.member("version", grant.version)
                        item.member("outcome", "renewed")
                        item.member("grant", String(decoding: grant.signed(kid: "k1", with: key), as: UTF8.self))
                        item.array("reasons") { _ in }
                        item.object("used") {
                            $0.member("plays", 0)
                            $0.member("playSeconds", 0)
                        }
                    }
                }
            }
            body.array("settled") { _ in }
            body.array("refused") { _ in }
            body.member("serverTime", now.seconds)
        }
    }
}
