import Foundation
import GoldenFiles
import TenureCore
import TenureFormats
import TenureLicensing
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// The guarantees of the registry for clients that branch on its codes.
///
/// Every test with a ``Vendor`` also checks that its responses and events use only registered codes and facts.
@Suite struct RegistryTests {
    @Test func `reasons and events have unique codes and texts`() {
        let reasons = (FeatureSet.tenure.registry.reasons + FeatureSet.tenure.registry.requests).flatMap(\.kinds)
        let events = FeatureSet.tenure.registry.events.flatMap(\.kinds)
        #expect(Set(reasons.map(\.text)).count == reasons.count)
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(Set(events.map(\.text)).count == events.count)
        #expect(Set(events.map(\.sentence)).count == events.count)
        for facts in reasons.map(\.facts) + events.map(\.facts) {
            #expect(Set(facts.map(\.name)).count == facts.count)
        }
    }

    @Test
    func `reason codes are in snake case, event codes have one dot, and remedies and event texts end with a period`()
        throws
    {
        for reason in (FeatureSet.tenure.registry.reasons + FeatureSet.tenure.registry.requests).flatMap(\.kinds) {
            #expect(reason.text.wholeMatch(of: /[a-z]+(_[a-z0-9]+)*/) != nil, "\(reason)")
            #expect(!reason.sentence.isEmpty && reason.cure.hasSuffix("."), "\(reason)")
        }
        for event in FeatureSet.tenure.registry.events.flatMap(\.kinds) {
            #expect(event.text.wholeMatch(of: /[a-z_]+\.[a-z_]+/) != nil, "\(event)")
            #expect(event.sentence.hasSuffix("."), "\(event)")
        }
    }

    @Test func `every reason and event that the sources declare is registered`() throws {
        let declared = try found(in: ["TenureCore", "TenureServerKit"] + rooms) {
            $0.matches(of: /\b(?:Reason\.Kind|EventKind)\(\s*"([a-z0-9_.]+)"/).map { String($0.output.1) }
        }
        let listed = FeatureSet.tenure.registry.codes.union(
            FeatureSet.tenure.registry.events.flatMap(\.kinds).map(\.text))
        #expect(declared == listed)
        #expect(declared.count > 50)
    }

    @Test func `every error code that the sources write into a response is registered`() throws {
        let said = try found(in: ["TenureServerKit", "tenure"] + rooms) {
            $0.matches(of: /\bcode: "([a-z0-9_]+)"/).map { String($0.output.1) }
        }
        #expect(said.subtracting(FeatureSet.tenure.registry.codes) == [])
        #expect(said.count > 15)
        let json: [JSONError.Code] = [.notUTF8, .tooDeep, .duplicateMember, .malformed, .notAnObject]
        #expect(Set(json.map { "json_\($0)" }).subtracting(FeatureSet.tenure.registry.codes) == [])
    }

    private let rooms = [
        "TenureLicensing", "TenureLicensingServer", "TenureMarketplace", "TenureMarketplaceServer", "TenurePackages",
        "TenureContent", "TenureContentServer", "TenureSellingServer",
    ]

    /// The folders of features and targets, by name. A target's folder is inside its feature's.
    private static let folders = {
        let sources = URL.packageRoot.appending(path: "Sources")
        let features =
            (try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)) ?? []
        let targets = features.flatMap { feature in
            (try? FileManager.default.contentsOfDirectory(at: feature, includingPropertiesForKeys: nil)) ?? []
        }
        return Dictionary(
            (features + targets).map { ($0.lastPathComponent, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the texts that a search finds in the sources of these targets.
    private func found(in targets: [String], _ search: (String) -> [String]) throws -> Set<String> {
        var found: Set<String> = []
        for target in targets {
            let folder = try #require(Self.folders[target])
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                found.formUnion(search(try String(contentsOf: file, encoding: .utf8)))
            }
        }
        return found
    }

    @Test(arguments: ["reasons", "events"])
    func `the documented reasons and events are those that the registry generates`(name: String) throws {
        let page = URL.packageRoot.appending(path: "Documentation/\(name).md")
        let printed = name == "reasons" ? FeatureSet.tenure.registry.reasonsPage : FeatureSet.tenure.registry.eventsPage
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(printed.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == printed)
    }

    @Test func `saving an event with an undeclared kind, or with missing or undeclared facts, fails`() async throws {
        let vendor = try await Vendor()
        let subject = Event.Subject(tenant: GivenMart.tenant)
        let events: [(Event, isDeclared: Bool)] = [
            (Event(.accountAdded, at: vendor.clock.now(), actor: .time, about: subject), true),
            (Event(EventKind(told: "account.melted"), at: vendor.clock.now(), actor: .time, about: subject), false),
            (Event(.licenseExpired, at: vendor.clock.now(), actor: .time, about: subject), false),
            (
                Event(
                    .accountAdded, at: vendor.clock.now(), actor: .time, about: subject, facts: [.init("x", .number(1))]
                ), false
            ),
        ]
        for (event, isDeclared) in events {
            var code: StoreError.Code?
            do {
                try await vendor.save([.append(EventRecord(sequence: 0, event: event))])
            } catch let error as StoreError {
                code = error.code
            }
            #expect(code == (isDeclared ? nil : .undeclaredEvent), "\(event)")
        }
    }

    @Test func `a missing, mistyped or undeclared fact of an event is reported`() {
        let facts: [Fact] = [.number("count"), .date("at").optional, .dateOrNever("end").optional]
        let time = Reason.Evidence.Value.date(Timestamp(seconds: 5))
        #expect(facts.faults(in: [.init("count", .number(1))]).isEmpty)
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", .text("never"))]).isEmpty)
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", time), .init("at", time)]).isEmpty)
        #expect(facts.faults(in: []) == ["count is missing"])
        #expect(facts.faults(in: [.init("count", .text("1"))]) == ["count is no number"])
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", .text("x"))]) == ["end is no dateOrNever"])
        #expect(facts.faults(in: [.init("count", .number(1)), .init("more", time)]) == ["more is not declared"])
    }
}
