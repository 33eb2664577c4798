import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import Testing

@Suite struct TenureStatementVectorTests {
    struct File: Decodable {
        struct Good: Decodable { let name, type, statement: String }
        struct Refused: Decodable { let name, code, statement: String }
        let statements: [Good]
        let refused: [Refused]
    }

    let file: File

    init() throws {
        file = try Vectors.read("tenure-statements", as: File.self)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try Array(#require(file.statements.first { $0.name == name }).statement.utf8)
    }

    /// Checks that an independent library's statement is read as `expected`, and that signing `expected` gives the same
    /// bytes.
    func expect<Statement: TenureStatement>(_ name: String, _ expected: Statement) throws {
        let compact = try bytes(name)
        var bindings = StatementBindings(product: GivenStatements.product, occasion: .answer(to: GivenStatements.nonce))
        bindings.keyHash = expected.envelope.keyHash
        bindings.device = expected.envelope.device
        bindings.activation = expected.envelope.activation
        let unverified = try UnverifiedStatement<Statement>(compact: compact)
        #expect(try unverified.verify(bindings, trusting: GivenStatements.trusted) == expected, "\(name)")
        #expect(expected.signed(kid: "k1", with: GivenStatements.key(1)) == compact, "\(name)")
        #expect(unverified.compact == compact)
    }

    @Test func `leases match an independent library's bytes`() throws {
        let pro = TenureLease.Grant(Entitlement("pro")!)
        let start = GivenStatements.now.adding(seconds: -1)
        func lease(
            _ status: LeaseTerms.Status, _ end: Timestamp?, _ grants: [TenureLease.Grant],
            _ activation: ActivationID? = GivenStatements.activation
        ) throws -> TenureLease {
            TenureLease(
                GivenStatements.envelope(lasting: 7 * 86_400, activation: activation), license: GivenStatements.license,
                policy: PolicyID("pro")!, term: try #require(Term(start: start, end: end)), status: status,
                entitlements: grants)
        }
        try expect("lease", GivenStatements.lease)
        try expect(
            "lease-with-values",
            lease(
                .active, GivenStatements.now.adding(days: 30),
                [pro, .init(Entitlement("seats")!, value: "25", end: GivenStatements.now.adding(days: 1))]))
        try expect("lease-fallback", lease(.fallback, GivenStatements.now, []))
        try expect("lease-expired-without-a-place", lease(.expired, GivenStatements.now, [], nil))
    }

    @Test func `a refusal, a release, a trial and a product's terms match an independent library's bytes`() throws {
        let revoked = Reason(
            .licenseRevoked, message: "License has been revoked",
            cure: "Ask the vendor why; a revoked license cannot come back, a new one can be issued.")
        let refusal = try UnverifiedTenureRefusal(compact: bytes("refusal")).verify(
            GivenStatements.bindings, trusting: GivenStatements.trusted)
        #expect(refusal.reasons.first == .init(revoked))
        #expect(
            refusal.reasons.last
                == .init(
                    code: .activationLimitReached, message: "Grüße", cure: nil,
                    changesAt: GivenStatements.now.adding(seconds: 60)
                ))
        #expect(try refusal.signed(kid: "k1", with: GivenStatements.key(1)) == bytes("refusal"))
        try expect("release", TenureRelease(GivenStatements.envelope(lasting: 300)))
        let trial = TenureTrial(
            GivenStatements.envelope(lasting: 30 * 86_400, keyHash: nil, activation: nil),
            start: GivenStatements.now.adding(days: -3),
            days: 14)
        #expect(trial.end == GivenStatements.now.adding(days: 11))
        try expect("trial", trial)
        try expect(
            "product",
            TenureProductTerms(
                GivenStatements.envelope(lasting: 30 * 86_400, keyHash: nil, device: nil, activation: nil),
                name: "Notes",
                trialDays: 0, freeTier: true))
    }

    @Test func `a refusal with evidence matches an independent library's bytes`() throws {
        let refusal = try UnverifiedTenureRefusal(compact: bytes("refusal-with-evidence")).verify(
            GivenStatements.bindings, trusting: GivenStatements.trusted)
        let ended = try #require(Timestamp(text: "2026-11-21T08:00:00Z"))
        #expect(
            refusal.reasons.map(\.evidence) == [
                [.init("expiredAt", .date(ended)), .init("graceEndedAt", .date(ended.adding(days: 10)))],
                [
                    .init("activations", .number(3)), .init("activationLimit", .number(3)),
                    .init("policy", .text("pro")),
                ],
                [],
            ])
        #expect(refusal.reasons.map(\.changesAt) == [nil, GivenStatements.now.adding(seconds: 60), nil])
        #expect(try refusal.signed(kid: "k1", with: GivenStatements.key(1)) == bytes("refusal-with-evidence"))
        // A refusal from an earlier server has no evidence.
        let bare = try UnverifiedTenureRefusal(compact: bytes("refusal")).verify(
            GivenStatements.bindings, trusting: GivenStatements.trusted)
        #expect(bare.reasons.map(\.evidence) == [[], []])
    }

    @Test func `a keyset matches an independent library's bytes`() throws {
        try expect(
            "keyset",
            TenureKeyset(
                GivenStatements.envelope(lasting: 30 * 86_400, keyHash: nil, device: nil, activation: nil),
                primaryKid: "k2",
                keys: [
                    .init(kid: "k1", publicKey: GivenStatements.key(1).publicKey),
                    .init(kid: "k2", publicKey: GivenStatements.key(33).publicKey),
                ]))
    }

    @Test func `each invalid statement of the test vectors is refused with the vector's error code`() {
        #expect(file.refused.count == 92)
        for refused in file.refused {
            let error = #expect(throws: FormatError.self, "\(refused.name)") {
                try UnverifiedTenureLease(compact: Array(refused.statement.utf8)).verify(
                    GivenStatements.bindings, trusting: GivenStatements.trusted)
            }
            #expect(error?.code.text == refused.code, "\(refused.name)")
        }
    }

    @Test func `a statement isn't accepted as another type of statement`() throws {
        for good in file.statements {
            let bytes = Array(good.statement.utf8)
            #expect(try kinds(bytes) == [good.type], "\(good.name)")
        }
    }

    /// Returns the types of statement for which the signature of these bytes is valid.
    private func kinds(_ bytes: [UInt8]) throws -> [String] {
        var found: [String] = []
        func attempt<Statement: TenureStatement>(_: Statement.Type) throws {
            do throws(FormatError) {
                let unverified = try UnverifiedStatement<Statement>(compact: bytes)
                _ = try unverified.verify(GivenStatements.bindings, trusting: GivenStatements.trusted)
                found.append(Statement.type)
            } catch {
                // Any error but `badSignature` means that the signature is valid for this type.
                if error.code != .badSignature { found.append(Statement.type) }
            }
        }
        try attempt(TenureLease.self)
        try attempt(TenureRefusal.self)
        try attempt(TenureRelease.self)
        try attempt(TenureTrial.self)
        try attempt(TenureProductTerms.self)
        try attempt(TenureKeyset.self)
        return found
    }
}
