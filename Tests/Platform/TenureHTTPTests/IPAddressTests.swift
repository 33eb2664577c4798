import TenureHTTP
import Testing

@Suite struct `IP addresses` {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("0.0.0.0", "0.0.0.0"), ("::1", "0:0:0:0:0:0:0:1"), ("::", "0:0:0:0:0:0:0:0"),
        ("2001:DB8::a:0:1", "2001:db8:0:0:0:a:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("::ffff:192.0.2.7", "192.0.2.7"), ("64:ff9b::192.0.2.33", "64:ff9b:0:0:0:0:c000:221"),
        ("1::", "1:0:0:0:0:0:0:0"),
    ]) func `a valid IP address is parsed`(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "+1.2.3.4", "1.2.3.4:80", "[::1]", "::1%eth0", ":", ":::",
        "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "g::", "+1::", "1.2.3.4::",
        "unknown", "_hidden",
    ]) func `an invalid IP address is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:80", "192.0.2.7"), ("[::1]:443", "0:0:0:0:0:0:0:1"),
        ("[::1]", "0:0:0:0:0:0:0:1"), ("::1", "0:0:0:0:0:0:0:1"), ("192.0.2.7:", nil), ("192.0.2.7:8x", nil),
        ("[192.0.2.7]", nil), ("[::1", nil), ("[::1]443", nil), ("192.0.2.7:123456", nil), ("[::1]:\u{661}", nil),
    ]) func `an IP address that a proxy wrote may have a port`(text: String, written: String?) {
        #expect(IPAddress(withPort: text)?.description == written)
    }

    @Test func `the network of an IPv4 address is the address itself, and that of an IPv6 address its first 64 bits`()
        throws
    {
        let four = try #require(IPAddress("192.0.2.7"))
        #expect(four.network == four)
        let six = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        #expect(six.network == IPAddress("2001:db8:1:2::"))
        #expect(six.network == IPAddress("2001:db8:1:2:ffff::1")?.network)
        #expect(six.network != IPAddress("2001:db8:1:3::")?.network)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("128.0.0.1", false), ("::1", true), ("::2", false),
        ("::ffff:127.0.0.1", true),
    ]) func `only ::1 and the addresses in 127.0.0.0/8, also IPv4-mapped ones, are loopback addresses`(
        text: String, isLoopback: Bool
    ) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isLoopback == isLoopback)
        #expect(Request.Peer.host(address).isThisMachine == isLoopback)
    }
}
