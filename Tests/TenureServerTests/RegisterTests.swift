import Foundation
import TenureCore
import TenureServer
import Testing

/// What the registers promise to those who branch on their names. That no answer and no event has a name or a fact that
/// is not listed, every test of a ``Vendor`` shows of what it sees.
@Suite struct RegisterTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `no two reasons and no two events are alike`() {
        let reasons = Register.reasons.flatMap(\.kinds)
        let events = Register.events.flatMap(\.kinds)
        #expect(Set(reasons.map(\.text)).count == reasons.count)
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(Set(events.map(\.text)).count == events.count)
        #expect(Set(events.map(\.sentence)).count == events.count)
        for facts in reasons.map(\.facts) + events.map(\.facts) {
            #expect(Set(facts.map(\.name)).count == facts.count)
        }
    }

    @Test func `names have the shapes that clients expect`() throws {
        for reason in Register.reasons.flatMap(\.kinds) {
            #expect(reason.text.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(reason)")
            #expect(!reason.sentence.isEmpty && reason.cure.hasSuffix("."), "\(reason)")
        }
        for event in Register.events.flatMap(\.kinds) {
            #expect(event.text.wholeMatch(of: /[a-z_]+\.[a-z_]+/) != nil, "\(event)")
            #expect(event.sentence.hasSuffix("."), "\(event)")
        }
    }

    @Test func `whatever the law and the server declare is listed`() throws {
        var declared: Set<String> = []
        for target in ["TenureCore", "TenureServerKit", "TenureServer"] {
            let folder = root.appending(path: "Sources/\(target)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /= (?:Reason\.Kind|EventKind)\(\s*"([a-z_.]+)"/) {
                    declared.insert(String(match.output.1))
                }
            }
        }
        let listed = Register.reasons.flatMap(\.kinds).map(\.text) + Register.events.flatMap(\.kinds).map(\.text)
        #expect(declared == Set(listed))
        #expect(declared.count > 50)
    }

    @Test(arguments: ["reasons", "events"]) func `a page says what the register says`(name: String) throws {
        let page = root.appending(path: "Documentation/\(name).md")
        let printed = name == "reasons" ? Register.reasonsPage : Register.eventsPage
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(printed.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == printed)
    }

    @Test func `facts are compared with what is declared`() {
        let facts: [Fact] = [.number("count"), .date("at").optional, .dateOrNever("end").optional]
        let moment = Reason.Evidence.Value.date(Timestamp(seconds: 5))
        #expect(facts.faults(in: [.init("count", .number(1))]).isEmpty)
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", .text("never"))]).isEmpty)
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", moment), .init("at", moment)]).isEmpty)
        #expect(facts.faults(in: []) == ["count is missing"])
        #expect(facts.faults(in: [.init("count", .text("1"))]) == ["count is no number"])
        #expect(facts.faults(in: [.init("count", .number(1)), .init("end", .text("x"))]) == ["end is no dateOrNever"])
        #expect(facts.faults(in: [.init("count", .number(1)), .init("more", moment)]) == ["more is not declared"])
    }
}
