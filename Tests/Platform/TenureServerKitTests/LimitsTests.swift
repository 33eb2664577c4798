import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import Testing

@Suite struct `Ledgers of limits` {
    static let start = Timestamp(seconds: 1_800_000_000)

    @Test func `a name is counted in a window that begins with its first count`() {
        var ledger = WindowCounter<String>(window: 60, capacity: 10)
        ledger.add("a", at: Self.start)
        ledger.add("a", at: Self.start.adding(seconds: 59))
        #expect(ledger.count(of: "a", at: Self.start.adding(seconds: 59)) == 2)
        #expect(ledger.secondsLeft(of: "a", at: Self.start.adding(seconds: 59)) == 1)
        #expect(ledger.count(of: "a", at: Self.start.adding(seconds: 60)) == 0)
        #expect(ledger.secondsLeft(of: "a", at: Self.start.adding(seconds: 60)) == 0)
        ledger.add("a", at: Self.start.adding(seconds: 60))
        #expect(ledger.count(of: "a", at: Self.start.adding(seconds: 60)) == 1)
        #expect(ledger.count(of: "b", at: Self.start) == 0)
    }

    @Test func `a clock that was moved back ends a window from the future`() {
        var ledger = WindowCounter<String>(window: 60, capacity: 10)
        ledger.add("a", at: Self.start)
        #expect(ledger.count(of: "a", at: Self.start.adding(seconds: -1)) == 0)
    }

    @Test func `beyond its room the name whose window began first is forgotten`() {
        var ledger = WindowCounter<Int>(window: 60, capacity: 3)
        for name in 0..<3 { ledger.add(name, at: Self.start) }
        ledger.add(0, at: Self.start.adding(seconds: 60))
        ledger.add(3, at: Self.start.adding(seconds: 60))
        #expect(ledger.size == 3)
        let held = (0...3).filter { ledger.count(of: $0, at: Self.start.adding(seconds: 60)) > 0 }
        #expect(held == [0, 3], "1 was evicted first, 2 has expired")
        for name in 0..<100_000 { ledger.add(name, at: Self.start.adding(seconds: Int64(name))) }
        #expect(ledger.size == 3)
    }

    @Test(
        arguments: [
            (Request.Peer.host(IPAddress("203.0.113.9")!), [] as [String], "203.0.113.9"),
            (.host(IPAddress("203.0.113.9")!), ["198.51.100.1"], "203.0.113.9"),
            (.host(IPAddress("2001:db8::5")!), [], "2001:db8:0:0:0:0:0:0"),
            (.local, [], nil), (.host(IPAddress("127.0.0.1")!), [], nil),
            (.host(IPAddress("127.0.0.1")!), ["198.51.100.1"], nil),
            (.local, ["198.51.100.1"], "198.51.100.1"),
            (.host(IPAddress("::1")!), ["10.0.0.1, 198.51.100.1"], "198.51.100.1"),
            (.host(IPAddress("10.1.1.1")!), ["198.51.100.1"], "198.51.100.1"),
            (.local, ["10.0.0.1", "10.0.0.2 , 198.51.100.2"], "198.51.100.2"),
            (.local, ["198.51.100.1, unknown"], nil), (.local, [""], nil),
        ] as [(Request.Peer, [String], String?)])
    func `a source is the peer's, or the last that a trusted proxy names`(
        peer: Request.Peer, forwarded: [String], network: String?
    ) {
        var request = Request(method: "GET", path: "/", peer: peer)
        for value in forwarded { request.headers.add("X-Forwarded-For", value) }
        let proxies = TrustedProxies(["unix", "::1", "10.1.1.1"])
        #expect(proxies?.source(of: request)?.description == network)
        if peer.isThisMachine { #expect(TrustedProxies.none.source(of: request) == nil) }
        #expect(TrustedProxies(["unix", "nginx"]) == nil)
    }

    static let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)

    func request(from address: String) -> Request {
        Request(method: "POST", path: "/", peer: .host(IPAddress(address)!))
    }

    /// Returns how many seconds a request must wait, or `nil` if it may proceed.
    func wait(_ keys: WrongKeys, _ address: String, at now: Timestamp = start) -> Int64? {
        keys.wait(request(from: address), for: Self.product, at: now)
    }

    @Test func `an address that sent too many wrong keys waits, and no other`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct, bounds.window) = (3, 100, 60)
        let keys = WrongKeys(bounds)
        for _ in 0..<3 {
            #expect(wait(keys, "203.0.113.9") == nil)
            keys.count(request(from: "203.0.113.9"), for: Self.product, at: Self.start)
        }
        #expect(wait(keys, "203.0.113.9") == 60)
        #expect(wait(keys, "203.0.113.9", at: Self.start.adding(seconds: 59)) == 1)
        #expect(wait(keys, "203.0.113.9", at: Self.start.adding(seconds: 60)) == nil)
        #expect(wait(keys, "203.0.113.10") == nil)
    }

    @Test func `over a product's bound only those wait that sent wrong keys themselves`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct, bounds.window) = (3, 5, 60)
        let keys = WrongKeys(bounds)
        for last in 1...5 { keys.count(request(from: "203.0.113.\(last)"), for: Self.product, at: Self.start) }
        #expect(wait(keys, "203.0.113.1") == 60)
        #expect(wait(keys, "203.0.113.6") == nil, "a customer with the right key")
        keys.count(request(from: "203.0.113.6"), for: Self.product, at: Self.start)
        #expect(wait(keys, "203.0.113.6") == 60)
        #expect(wait(keys, "203.0.113.1", at: Self.start.adding(seconds: 60)) == nil)
    }

    @Test func `a request whose address cannot be told is counted and let pass`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct) = (1, 2)
        let keys = WrongKeys(bounds)
        let local = Request(method: "POST", path: "/")
        for _ in 0..<9 {
            #expect(keys.wait(local, for: Self.product, at: Self.start) == nil)
            keys.count(local, for: Self.product, at: Self.start)
        }
        keys.count(request(from: "203.0.113.1"), for: Self.product, at: Self.start)
        #expect(wait(keys, "203.0.113.1") != nil)
    }
}
