import TenureCore
import TenureFormats
import TenureLicensing
import Testing

@Suite struct StatementBindingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: FormatError.Code?
        let change: @Sendable (inout StatementBindings) -> Void

        init(
            _ text: String, _ code: FormatError.Code?, _ change: @escaping @Sendable (inout StatementBindings) -> Void
        ) {
            testDescription = text
            self.code = code
            self.change = change
        }
    }

    static let otherDigest = Digest(Array(repeating: 0, count: 32))!
    static let otherDevice = DeviceHash(String(repeating: "0", count: 64))!
    static let otherActivation = ActivationID(high: 1, low: 1)
    static let end = GivenStatements.lease.envelope.expiresAt

    static let rows: [Row] = [
        Row("all bindings match", nil) { _ in },
        Row("another tenant", .otherProduct) {
            $0.product = ProductRef(tenant: TenantID("other")!, product: GivenStatements.product.product)
        },
        Row("another product", .otherProduct) {
            $0.product = ProductRef(tenant: GivenStatements.product.tenant, product: ProductID("other")!)
        },
        Row("another license key", .otherLicenseKey) { $0.keyHash = otherDigest },
        Row("no license key", .otherLicenseKey) { $0.keyHash = nil },
        Row("another device", .otherDevice) { $0.device = otherDevice },
        Row("no device", .otherDevice) { $0.device = nil },
        Row("another activation", .otherActivation) { $0.activation = otherActivation },
        Row("no expected activation yet", nil) { $0.activation = nil },
        Row("another request", .otherRequest) { $0.occasion = .answer(to: StatementNonce(bytes: Array(1...16))!) },
        Row("a nonce with another byte at its end", .otherRequest) {
            $0.occasion = .answer(to: StatementNonce(bytes: Array(0...16))!)
        },
        Row("301 s older than the newest statement", .outdated) {
            $0.notBefore = GivenStatements.now.adding(seconds: 301)
        },
        Row("300 s older than the newest statement", nil) {
            $0.notBefore = GivenStatements.now.adding(seconds: 300)
        },
        Row("stored, checked now", nil) { $0.occasion = .kept(at: GivenStatements.now) },
        Row("stored, a clock 300 s behind", nil) { $0.occasion = .kept(at: GivenStatements.now.adding(seconds: -300)) },
        Row("stored, a clock 301 s behind", .notYet) {
            $0.occasion = .kept(at: GivenStatements.now.adding(seconds: -301))
        },
        Row("stored, 300 s past the end", nil) { $0.occasion = .kept(at: end.adding(seconds: 300)) },
        Row("stored, 301 s past the end", .lapsed) { $0.occasion = .kept(at: end.adding(seconds: 301)) },
        Row("stored, at the latest time", .lapsed) { $0.occasion = .kept(at: Timestamp(seconds: .max)) },
        Row("stored, at the earliest time", .notYet) { $0.occasion = .kept(at: Timestamp(seconds: .min)) },
        Row("a record, at any time", nil) { $0.occasion = .record },
        Row("a record of another device", .otherDevice) {
            $0.occasion = .record
            $0.device = otherDevice
        },
    ]

    @Test(arguments: rows)
    func `a lease with a wrong product, key, device, activation, request or time is refused with that fault's code`(
        _ row: Row
    ) throws {
        var bindings = GivenStatements.bindings
        row.change(&bindings)
        let lease = try UnverifiedTenureLease(
            compact: GivenStatements.lease.signed(kid: "k1", with: GivenStatements.key(1)))
        do throws(FormatError) {
            #expect(try lease.verify(bindings, trusting: GivenStatements.trusted) == GivenStatements.lease)
            #expect(row.code == nil)
        } catch {
            #expect(error.code == row.code)
        }
    }

    /// A statement without a device or key must not be accepted in place of one that names them.
    @Test func `a signed statement without a device or license key is refused if the request has one`() throws {
        let envelope = GivenStatements.envelope(lasting: 300, keyHash: nil, device: nil, activation: nil)
        let release = try UnverifiedTenureRelease(
            compact: TenureRelease(envelope).signed(kid: "k1", with: GivenStatements.key(1)))
        var bindings = GivenStatements.bindings
        for code in [FormatError.Code.otherLicenseKey, .otherDevice, .otherActivation] {
            let error = #expect(throws: FormatError.self) {
                try release.verify(bindings, trusting: GivenStatements.trusted)
            }
            #expect(error?.code == code)
            if code == .otherLicenseKey { bindings.keyHash = nil } else { bindings.device = nil }
        }
    }

    @Test func `a signed lease with changed, missing or added bytes is refused`() throws {
        var random = SeededGenerator(seed: 5)
        let good = GivenStatements.lease.signed(kid: "k1", with: GivenStatements.key(1))
        for _ in 0..<3000 {
            var bytes = good
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.removeSubrange(Int.random(in: bytes.indices, using: &random)...)
            case 2:
                bytes.insert(
                    UInt8.random(in: .min ... .max, using: &random), at: Int.random(in: bytes.indices, using: &random))
            default:
                bytes.swapAt(
                    Int.random(in: bytes.indices, using: &random), Int.random(in: bytes.indices, using: &random))
            }
            guard bytes != good else { continue }
            #expect(throws: FormatError.self, "\(String(decoding: bytes, as: UTF8.self))") {
                try UnverifiedTenureLease(compact: bytes).verify(
                    GivenStatements.bindings, trusting: GivenStatements.trusted)
            }
        }
        let long = good + [UInt8](repeating: UInt8(ascii: "A"), count: UnverifiedTenureLease.longest)
        #expect(throws: FormatError.self) { try UnverifiedTenureLease(compact: long) }
    }

    @Test(arguments: [(15, false), (16, true), (64, true), (65, false)])
    func `a nonce has 16 to 64 bytes`(count: Int, isOne: Bool) {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect((StatementNonce(bytes: bytes) != nil) == isOne)
        #expect((StatementNonce(text: Base64.encodeURL(bytes)) != nil) == isOne)
        #expect(StatementNonce(text: Base64.encodeURL(bytes) + "=") == nil)
    }
}
