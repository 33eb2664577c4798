import TenureCore
import TenureLicensing
import Testing

@Suite struct TransferTests {
    static let newKey = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-####")

    @Test func `a transfer gives a license a new holder and a new key, and releases every device`() throws {
        var counted = Given.activation(3, identity: .machine("c"), at: Given.now.adding(days: -9))
        counted = try #require(
            Given.license().deactivate(counted, by: .device, under: Given.policy(), at: Given.now).activation)
        let live = [Given.activation(1, identity: .machine("a")), Given.activation(2, identity: .machine("b"))]
        let consequences = try #require(
            LicenseTransfer(to: "eve", key: Self.newKey).decide(
                on: Given.license(), releasing: live + [counted], by: Given.operatorAda, at: Given.now
            ).outcome)
        #expect(consequences.license?.holder == "eve")
        #expect(consequences.license?.key == Self.newKey)
        #expect(consequences.license?.terms.term == Given.license().term)
        #expect(consequences.activations.map(\.id.low) == [1, 2, 3])
        #expect(consequences.activations.allSatisfy { $0.releasedAt == Given.now && $0.countsUntil == nil })
        #expect(consequences.formerKeys.map(\.activatedBefore) == [nil])
        #expect(
            consequences.events.map(\.kind.text)
                == ["license.transferred", "activation.released", "activation.released"])
    }

    @Test(arguments: ["mia", " MIA "]) func `a transfer to the current holder is refused`(holder: String) {
        let license = Given.license().change([.holder("mia")], by: Given.operatorAda, at: Given.now).outcome?.license
        let decision = LicenseTransfer(to: holder, key: Self.newKey).decide(
            on: license ?? Given.license(), by: Given.operatorAda, at: Given.now)
        #expect(decision.refusal?.first.code == .holderUnchanged)
    }

    @Test(arguments: [License.State.revoked, .returned])
    func `a revoked or returned license can't be transferred`(_ state: License.State) {
        let decision = LicenseTransfer(to: "eve", key: Self.newKey).decide(
            on: Given.license(state), by: .time, at: Given.now)
        #expect(decision.refusal != nil)
    }

    @Test
    func `a new key or holder ends the sessions on the license's page, and a new order number doesn't`() {
        let license = Given.license()
        func ends(_ change: LicenseTerms.FieldChange) -> Bool? {
            license.change([change], by: .time, at: Given.now).outcome?.endSessions(of: license)
        }
        #expect(ends(.holder("eve")) == true)
        #expect(ends(.order("A-17")) == false)
        let rekeyed = KeyReplacement(with: Self.newKey, keeping: .active).decide(on: license, by: .time, at: Given.now)
        #expect(rekeyed.outcome?.endSessions(of: license) == true)
    }
}
