import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// Keys of protected media. A library replaces an item's key at each renewal of its license, and deletes the key with a
/// proof when the license ends.
@Suite struct PersistableKeyTests {
    private static let name = "mck-1"

    private static func library(_ keys: FakeKeys) async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        tablet.keys = keys
        let library = try await tablet.filled(1...2)
        #expect(try await library.keepKey(name, identifier: "skd://one"))
        return (tablet, library)
    }

    @Test func `a media key is stored, renewed for each version of its license, and read after a restart`()
        async throws
    {
        let keys = FakeKeys()
        let (tablet, library) = try await Self.library(keys)
        #expect(await library.key(Self.name) == Data("skd://one #1".utf8))
        #expect(try await library.keepKey(Self.name, identifier: "skd://one"))
        #expect(keys.requestCount == 1, "a stored key isn't requested again")
        await library.renewed(.all)
        #expect(await library.key(Self.name) == Data("skd://one #2".utf8))
        let again = try await tablet.open()
        #expect(await again.key(Self.name) == Data("skd://one #2".utf8))
        #expect(await again.key("mck-2") == nil)
        // A new license for the same content starts with version 1 again.
        tablet.server.with { $0.licenses = [:] }
        await again.renewed(.all)
        #expect(await again.kept(1)?.grant.version == 1)
        #expect(await again.key(Self.name) == Data("skd://one #3".utf8))
    }

    @Test func `a failed request for a media key leaves the stored key and is repeated when the app becomes active`()
        async throws
    {
        let keys = FakeKeys()
        let (_, library) = try await Self.library(keys)
        keys.isDown = true
        await library.renewed(.all)
        #expect(await library.kept(1)?.grant.version == 2)
        #expect(await library.key(Self.name) == Data("skd://one #1".utf8))
        keys.isDown = false
        await library.becameActive()
        #expect(await library.key(Self.name) == Data("skd://one #2".utf8))
        #expect(await library.kept(1)?.grant.version == 2)
    }

    @Test func `a media key that the system updates at its first play is stored, even during a renewal`()
        async throws
    {
        let keys = FakeKeys()
        let (tablet, library) = try await Self.library(keys)
        try await library.keyChanged("skd://one", to: Data("played".utf8))
        try await library.keyChanged("skd://other", to: Data("another's".utf8))
        #expect(await library.key(Self.name) == Data("played".utf8))
        #expect(await (try tablet.open()).key(Self.name) == Data("played".utf8))
        let gate = keys.hold()
        let renewal = Task { await library.renewed(.items([Self.name])) }
        await library.until { _ in keys.isHolding }
        try await library.keyChanged("skd://one", to: Data("played again".utf8))
        gate.finish()
        _ = await renewal.value
        #expect(await library.key(Self.name) == Data("played again".utf8))
        await library.becameActive()
        #expect(await library.key(Self.name) == Data("skd://one #3".utf8), "the key for the current version")
    }

    @Test(arguments: [true, false])
    func `a returned or revoked content license's media key is deleted, and the proof is stored until delivered`(
        isGivenBack: Bool
    ) async throws {
        let keys = FakeKeys()
        let (tablet, library) = try await Self.library(keys)
        keys.isDeaf = true
        if isGivenBack {
            #expect(await library.return(Self.name) == .done)
        } else {
            tablet.server.with { server in
                guard let license = server.license("mia", Given.content(1)) else { return }
                server.stop(license.id, .revoked, at: Given.now)
            }
            await library.renewed(.all)
        }
        #expect(await library.key(Self.name) == nil)
        #expect(keys.deleted == [Data("skd://one #1".utf8)])
        let again = try await tablet.open()
        #expect(await again.ledgerContents.keptKeys[Given.content(1)]?.proof == Data("no more skd://one #1".utf8))
        keys.isDeaf = false
        await again.becameActive()
        #expect(keys.received == [Data("no more skd://one #1".utf8)])
        #expect(await again.ledgerContents.keptKeys.isEmpty)
        #expect(keys.deleted.count == 1)
    }

    @Test
    func `a media key can be stored only for a stored content item and with a system that stores keys`() async throws {
        let (_, library) = try await Self.library(FakeKeys())
        await #expect(throws: ContentError.self) { try await library.keepKey("mck-9", identifier: "skd://nine") }
        let without = try await Tablet().filled(1...1)
        let error = await #expect(throws: ContentError.self) {
            try await without.keepKey(Self.name, identifier: "skd://one")
        }
        #expect(error?.code == .misconfigured)
    }
}

/// A fake for the system that stores media keys.
final class FakeKeys: PersistableKeySystem, @unchecked Sendable {
    // Sendable because `lock` guards `state`.
    private let lock = NSLock()
    private struct State {
        var requestCount = 0
        var deleted: [Data] = []
        var received: [Data] = []
        var isDown = false
        var isDeaf = false
        var gate: AsyncStream<Void>?
        var isHolding = false
    }

    private struct Down: Error {}

    private var state = State()

    var requestCount: Int { lock.withLock { state.requestCount } }
    var deleted: [Data] { lock.withLock { state.deleted } }
    var received: [Data] { lock.withLock { state.received } }
    var isHolding: Bool { lock.withLock { state.isHolding } }
    /// Whether the fake key server issues no keys.
    var isDown: Bool {
        get { lock.withLock { state.isDown } }
        set { lock.withLock { state.isDown = newValue } }
    }
    /// Whether the fake key server rejects reports of deleted keys.
    var isDeaf: Bool {
        get { lock.withLock { state.isDeaf } }
        set { lock.withLock { state.isDeaf = newValue } }
    }

    /// Holds requests for keys until the returned continuation is finished.
    func hold() -> AsyncStream<Void>.Continuation {
        let (stream, opener) = AsyncStream<Void>.makeStream()
        lock.withLock { state.gate = stream }
        return opener
    }

    func newKey(_ identifier: String, for content: String) async throws -> Data {
        if let gate = lock.withLock({ state.gate }) {
            lock.withLock { state.isHolding = true }
            for await _ in gate {}
        }
        let number = try lock.withLock {
            if state.isDown { throw Down() }
            state.requestCount += 1
            return state.requestCount
        }
        return Data("\(identifier) #\(number)".utf8)
    }

    func delete(_ key: Data, of content: String) async throws -> Data {
        lock.withLock { state.deleted.append(key) }
        return Data("no more ".utf8) + key
    }

    func tell(deletion proof: Data, of content: String) async throws {
        try lock.withLock {
            if state.isDeaf { throw Down() }
            state.received.append(proof)
        }
    }
}
