import TenureCore
import TenureCrypto
import TenureServerKit
import Testing

@Suite struct PublicNamesTests {
    static let names = PublicNames(secret: Array(0..<32))

    @Test func `different activation ids have different public ids, from which they are restored`() throws {
        let names = Self.names
        var random = SecureRandom()
        let own = (0..<500).map { _ in ActivationID.random(using: &random) }
        let shown = own.map { names.shown($0) }
        #expect(Set(shown).count == own.count && Set(shown).isDisjoint(with: own))
        #expect(shown.map { names.meant($0) } == own)
        for (one, other) in zip(own, shown) {
            #expect(one.high & 0xF000 == other.high & 0xF000 && one.low >> 62 == other.low >> 62)
        }
    }

    @Test func `the smallest and largest activation ids are restored from their public ids`() throws {
        let names = Self.names
        let extremes: [(UInt64, UInt64)] = [(0, 0), (.max, .max), (0, .max), (1, 1), (.max, 0)]
        for id in extremes.map({ ActivationID(high: $0, low: $1) }) {
            #expect(names.shown(id) != id && names.meant(names.shown(id)) == id)
        }
    }

    @Test func `an activation's public id is stable, and differs under another secret`() throws {
        let id = try #require(ActivationID(text: "3f2b7c1e-9a54-4d0e-8f11-0c9f5a2e7b10"))
        let names = Self.names
        #expect(names.shown(id).description == "124c0db3-d5ed-41c4-89a7-6be50cc71b13")
        #expect(PublicNames(secret: Array(1...32)).shown(id) != names.shown(id))
    }

    @Test func `an event for API clients has public activation ids instead of the internal ones`() throws {
        let names = Self.names
        let (one, other) = (ActivationID(high: 1, low: 2), ActivationID(high: 3, low: 4))
        let product = ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID("notes")))
        let event = Event(
            EventKind(told: "activation.released"), at: Timestamp(seconds: 5), actor: .device,
            about: Event.Subject(product, activation: one),
            facts: [.init("askedFrom", .text(other.description)), .init("releasedBy", .text("holder"))])
        let shown = names.shown(EventRecord(sequence: 7, event: event))
        #expect(shown.sequence == 7 && shown.event.kind == event.kind && shown.event.subject.product == product.product)
        #expect(shown.event.subject.activation == names.shown(one))
        #expect(shown.event.facts.map(\.value.text) == [names.shown(other).description, "holder"])
    }

    @Test func `an event without an activation id is unchanged for API clients`() throws {
        let names = Self.names
        let text = "3f2b7c1e-9a54-4d0e-8f11-0c9f5a2e7b10"
        let subject = Event.Subject(
            tenant: try #require(TenantID("acme")), enrolment: EnrolmentID(number: 1),
            contentLicense: ContentLicenseID(number: 3))
        let event = Event(
            EventKind(told: "content.renewed"), at: Timestamp(seconds: 5), actor: .device, about: subject,
            facts: [.init("session", .text(text)), .init("version", .number(2))])
        #expect(names.shown(EventRecord(sequence: 7, event: event)).event == event)
    }
}
