import TenureFormats
import TenureMarketplace
import Testing

@Suite struct SimulatedAppLicenseRequestTests {
    static let members: [(String, String)] = [
        ("v", "1"), ("action", "\"renew\""), ("requestID", "\"18446744073709551615\""), ("requestTime", "1795251039"),
        ("requestVersion", "1"), ("deviceID", "\"AAEC\""), ("appleItemIDs", "[\"1\"]"),
        ("licenseIDs", "[\"9007199254740993\",\"2\"]"),
    ]

    func text(_ members: [(String, String)]) -> [UInt8] {
        Array("{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}".utf8)
    }

    let request = SimulatedAppLicenseRequest(
        action: .renew, requestID: .max, requestTime: 1_795_251_039, deviceID: [0, 1, 2], appleItemIDs: [1],
        licenseIDs: [9_007_199_254_740_993, 2])

    @Test func `a simulated app license request is written and read as JSON with all of its members`() throws {
        #expect(request.json() == text(Self.members))
        #expect(try SimulatedAppLicenseRequest(json: text(Self.members)) == request)
    }

    @Test(arguments: [
        ("requestID", "18446744073709551615"), ("requestTime", "\"1795251039\""), ("requestVersion", "\"1\""),
        ("licenseIDs", "[9007199254740993,\"2\"]"), ("action", "\"\\u0072enew\""),
    ])
    func `a simulated app license request may have strings for numbers, numbers for strings, and escaped strings`(
        name: String, value: String
    ) throws {
        let other = Self.members.map { $0.0 == name ? (name, value) : $0 }
        #expect(try SimulatedAppLicenseRequest(json: text(other)) == request)
    }

    @Test func `unknown members of a simulated app license request are ignored`() throws {
        #expect(try SimulatedAppLicenseRequest(json: text(Self.members + [("new", "{\"v\":2}")])) == request)
    }

    @Test func `a simulated app license request in which a member is missing or has another type is refused`() {
        for index in Self.members.indices {
            var members = Self.members
            members.remove(at: index)
            expect(.badMember, members)
            for wrong in ["null", "true", "{}"] {
                members = Self.members
                members[index].1 = wrong
                expect(.badMember, members)
            }
        }
    }

    @Test(arguments: [
        ("v", "2"), ("v", "\"1\""), ("action", "\"generateStatic\""), ("action", "\"Create\""), ("requestID", "-1"),
        ("requestID", "18446744073709551616"), ("requestID", "\"\""), ("requestID", "\"01\""), ("requestID", "\"+1\""),
        ("requestID", "\" 1\""), ("requestID", "1.0"), ("requestID", "1e3"), ("requestID", "-0"),
        ("requestID", "\"1\\u0030\""),
        ("requestTime", "-1"), ("requestVersion", "4294967296"), ("deviceID", "\"\""), ("deviceID", "\"AAE\""),
        ("deviceID", "\"-_-_\""), ("deviceID", "\"AAEC \""), ("appleItemIDs", "\"1\""), ("appleItemIDs", "[null]"),
        ("appleItemIDs", "[\"1\",\"x\"]"), ("licenseIDs", "[[1]]"), ("licenseIDs", "{\"1\":1}"),
    ])
    func `a simulated app license request in which a member has an invalid value is refused`(
        name: String, value: String
    ) {
        expect(.badMember, Self.members.map { $0.0 == name ? (name, value) : $0 })
    }

    @Test func `a simulated app license request with a list or device id over its limit is refused`() throws {
        var long = request
        long.licenseIDs = Array(1...4096)
        long.deviceID = Array(repeating: 7, count: 255)
        #expect(try SimulatedAppLicenseRequest(json: long.json()) == long)
        var longer = long
        longer.licenseIDs.append(1)
        #expect(throws: FormatError.self) { try SimulatedAppLicenseRequest(json: longer.json()) }
        longer = long
        longer.deviceID.append(1)
        #expect(throws: FormatError.self) { try SimulatedAppLicenseRequest(json: longer.json()) }
    }

    @Test(arguments: ["", "[]", "{", "\u{FEFF}{}", "{\"v\":1,\"v\":1}"])
    func `a simulated app license request that isn't a JSON object with unique members is refused`(text: String) {
        let error = #expect(throws: FormatError.self) { try SimulatedAppLicenseRequest(json: Array(text.utf8)) }
        #expect(error?.code == .malformed)
    }

    private func expect(_ code: FormatError.Code, _ members: [(String, String)]) {
        let error = #expect(throws: FormatError.self, "\(members)") {
            try SimulatedAppLicenseRequest(json: text(members))
        }
        #expect(error?.code == code)
    }
}
