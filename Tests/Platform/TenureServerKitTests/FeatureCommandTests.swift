import TenureServerKit
import Testing

@testable import TenureCommandLine

struct FeatureCommandTests {
    private static let lending = HelpSection("Lending", position: 10)

    @Test func `commands are listed under the heading that each one declares, in the order of the headings`() {
        let listed = [
            Self.command("backup", in: .operate), Self.command("lend", in: Self.lending),
            Self.command("serve", in: .start), Self.command("restore", in: .operate),
        ]
        #expect(Self.names(listed) == ["Start here: serve", "Lending: lend", "Operate: backup restore"])
    }

    @Test
    func `a command added to a group is listed after its declared predecessor, or not at all if the group is missing`()
    {
        let group = FeatureCommand(
            CommandGroup("book", "Books.", example: "x", commands: [Self.node("add"), Self.node("list")]),
            in: Self.lending)
        let added = [
            FeatureCommand(Self.node("scan"), of: "book", after: "add"),
            FeatureCommand(Self.node("print"), of: "book", after: "scan"),
        ]
        let whole = ([group] + added).sections
        #expect(whole.map(\.title) == ["Lending"])
        #expect((whole[0].commands[0] as? CommandGroup)?.commands.map(\.name) == ["add", "scan", "print", "list"])
        #expect(added.sections.isEmpty)
    }

    private static func command(_ name: String, in section: HelpSection) -> FeatureCommand {
        FeatureCommand(node(name), in: section)
    }

    private static func node(_ name: String) -> Command {
        Command(name, "A command.", example: "x") { _, _ in .done }
    }

    private static func names(_ commands: [FeatureCommand]) -> [String] {
        commands.sections.map { "\($0.title): \($0.commands.map(\.name).joined(separator: " "))" }
    }
}
