import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import Testing

@Suite struct `Counters of limits` {
    static let start = Timestamp(seconds: 1_800_000_000)

    @Test func `requests under one name are counted in a time window that starts with the first request`() {
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

    @Test func `a counting window that starts in the future because the clock was set back counts no requests`() {
        var ledger = WindowCounter<String>(window: 60, capacity: 10)
        ledger.add("a", at: Self.start)
        #expect(ledger.count(of: "a", at: Self.start.adding(seconds: -1)) == 0)
    }

    @Test func `a counter removes names whose time window has ended when new names are added`() {
        var ledger = WindowCounter<Int>(window: 60, capacity: 10_000)
        for name in 0..<1_000 { ledger.add(name, at: Self.start) }
        for name in 1_000..<1_500 { ledger.add(name, at: Self.start.adding(seconds: 60)) }
        #expect(ledger.size == 500)
        // A name that starts again is counted once.
        for _ in 0..<2 { ledger.add(1_000, at: Self.start.adding(seconds: 121)) }
        #expect(ledger.count(of: 1_000, at: Self.start.adding(seconds: 121)) == 2)
        #expect(ledger.size == 499)
    }

    @Test func `a counter over its capacity drops the name with the oldest window`() {
        var ledger = WindowCounter<Int>(window: 60, capacity: 3)
        for name in 0...3 { ledger.add(name, at: Self.start.adding(seconds: Int64(name))) }
        #expect(ledger.size == 3)
        #expect((0...3).filter { ledger.count(of: $0, at: Self.start.adding(seconds: 3)) > 0 } == [1, 2, 3])
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
            (.local, ["\u{600}, 198.51.100.3"], "198.51.100.3"),
            (.local, ["9.9.9.9\u{301}, 198.51.100.3"], "198.51.100.3"),
            (.local, ["9.9.9.9,\u{FE0F}198.51.100.3"], "127.0.0.1"),
            (.local, ["\u{600},198.51.100.3"], "198.51.100.3"),
            (.local, ["198.51.100.4:1234"], "198.51.100.4"), (.local, ["[2001:db8::5]:443"], "2001:db8:0:0:0:0:0:0"),
            (.local, ["198.51.100.1, unknown"], "127.0.0.1"), (.local, [""], "127.0.0.1"),
            (.host(IPAddress("10.1.1.1")!), ["198.51.100.1,"], "10.1.1.1"), (.host(IPAddress("10.1.1.1")!), [], nil),
        ] as [(Request.Peer, [String], String?)])
    func `a request's source is the network of an untrusted remote peer, or of the last address from a trusted proxy`(
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

    /// Begins a look-up of a license key.
    func begin(
        _ keys: WrongKeys, _ request: Request, key: String = "right", at now: Timestamp = start
    ) -> WrongKeys.Permission {
        keys.begin(request, for: Self.product, key: .sha256(of: key), at: now)
    }

    /// Returns how many seconds a request must wait, or `nil` if it may proceed.
    func wait(_ keys: WrongKeys, _ address: String, key: String = "right", at now: Timestamp = start) -> Int64? {
        begin(keys, request(from: address), key: key, at: now).wait
    }

    /// Begins an attempt and counts its key as unknown.
    func count(_ keys: WrongKeys, _ request: Request) {
        guard case .admitted(let attempt) = begin(keys, request, key: "wrong") else { return }
        #expect(keys.count(attempt, for: Self.product, at: Self.start) == nil)
    }

    @Test func `an address that sent too many unknown license keys must wait, and other addresses needn't`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct, bounds.window) = (3, 100, 60)
        let keys = WrongKeys(bounds)
        for _ in 0..<3 {
            #expect(wait(keys, "203.0.113.9") == nil)
            count(keys, request(from: "203.0.113.9"))
        }
        #expect(wait(keys, "203.0.113.9") == 60)
        #expect(wait(keys, "203.0.113.9", at: Self.start.adding(seconds: 59)) == 1)
        #expect(wait(keys, "203.0.113.9", at: Self.start.adding(seconds: 60)) == nil)
        #expect(wait(keys, "203.0.113.10") == nil)
    }

    @Test func `when a product's limit is reached, only addresses that sent an unknown license key must wait`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct, bounds.window) = (3, 5, 60)
        let keys = WrongKeys(bounds)
        for last in 1...5 { count(keys, request(from: "203.0.113.\(last)")) }
        #expect(wait(keys, "203.0.113.1") == 60)
        #expect(wait(keys, "203.0.113.6") == nil, "a customer with the right key")
        count(keys, request(from: "203.0.113.6"))
        #expect(wait(keys, "203.0.113.6") == 60)
        #expect(wait(keys, "203.0.113.1", at: Self.start.adding(seconds: 60)) == nil)
    }

    @Test func `a request without an address isn't limited, but its unknown key counts towards the product's limit`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.perProduct) = (1, 2)
        let keys = WrongKeys(bounds)
        let local = Request(method: "POST", path: "/")
        for _ in 0..<9 {
            #expect(begin(keys, local).wait == nil)
            count(keys, local)
        }
        count(keys, request(from: "203.0.113.1"))
        #expect(wait(keys, "203.0.113.1") != nil)
    }

    @Test
    func `each different license key that an address looks up at the same time uses one of the address's attempts`() {
        var bounds = WrongKeys.Bounds()
        bounds.perAddress = 3
        let keys = WrongKeys(bounds)
        var attempts = (1...3).map { begin(keys, request(from: "203.0.113.9"), key: "\($0)") }
        #expect(attempts.allSatisfy { $0.wait == nil })
        #expect(wait(keys, "203.0.113.9", key: "4") == 1)
        #expect(wait(keys, "203.0.113.9", key: "1") == nil, "a second device with a key that is being looked up")
        #expect(wait(keys, "203.0.113.10", key: "4") == nil)
        attempts.removeLast()
        #expect(wait(keys, "203.0.113.9", key: "4") == nil)
    }

    @Test func `concurrent requests with the same unknown license key are refused beyond the limit of attempts`() {
        var bounds = WrongKeys.Bounds()
        (bounds.perAddress, bounds.window) = (3, 60)
        let keys = WrongKeys(bounds)
        let waits = (1...9).map { _ in begin(keys, request(from: "203.0.113.9"), key: "wrong") }.map {
            authentication -> Int64? in
            guard case .admitted(let attempt) = authentication else { return nil }
            return keys.count(attempt, for: Self.product, at: Self.start)
        }
        #expect(waits == [nil, nil, nil, 60, 60, 60, 60, 60, 60])
    }

    @Test func `an address can try only one license key at a time once a product's limit is reached`() {
        var bounds = WrongKeys.Bounds()
        bounds.perProduct = 1
        let keys = WrongKeys(bounds)
        count(keys, request(from: "203.0.113.1"))
        let attempt = begin(keys, request(from: "203.0.113.2"), key: "1")
        #expect(attempt.wait == nil)
        #expect(wait(keys, "203.0.113.2", key: "2") == 1)
        withExtendedLifetime(attempt) {}
    }
}

extension WrongKeys.Permission {
    /// The seconds to wait; `nil` if the key may be looked up.
    fileprivate var wait: Int64? {
        if case .refused(let seconds) = self { seconds } else { nil }
    }
}
