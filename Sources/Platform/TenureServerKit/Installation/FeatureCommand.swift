package import TenureCommandLine

/// A command and its position in the program: under a heading of the help page, or in another feature's group.
package struct FeatureCommand: Sendable {
    enum Place {
        case section(HelpSection)
        case group(String, predecessor: String)
    }

    let node: any CommandNode
    let position: Place

    /// Places a command under a heading of the help page, after the commands that were declared there before.
    package init(_ node: any CommandNode, in section: HelpSection) {
        self.node = node
        position = .section(section)
    }

    /// Places a command in a command group, which another feature may define.
    ///
    /// - Parameter predecessor: The command that precedes this one in the group. If the group lacks it, this command
    ///   comes last.
    package init(_ node: any CommandNode, of group: String, after predecessor: String) {
        self.node = node
        position = .group(group, predecessor: predecessor)
    }
}

/// A heading of the program's help page.
///
/// A feature declares its own heading beside its commands.
package struct HelpSection: Sendable, Hashable {
    let title: String
    /// The heading's position on the page; lower ones come first.
    let position: Int

    package init(_ title: String, position: Int) {
        self.title = title
        self.position = position
    }

    /// The commands that a new user needs first.
    package static let start = HelpSection("Start here", position: 0)
    /// The commands for the operation of a server.
    package static let operate = HelpSection("Operate", position: 80)
    /// Simulated clients, and checks of a vendor's files and servers.
    package static let tryOut = HelpSection("Try out", position: 90)
}

extension Feature {
    /// Returns the feature with additional commands, such as those of a simulated client.
    package func adding(_ further: FeatureCommand...) -> Feature {
        var feature = self
        feature.commands = { [commands] installations in commands(installations) + further }
        return feature
    }
}

extension [FeatureCommand] {
    /// The commands under their headings, in the order of the help page.
    package var sections: [CommandSection] {
        var headings: Set<HelpSection> = []
        for case .section(let heading) in map(\.position) { headings.insert(heading) }
        return headings.sorted { $0.position < $1.position }.map { heading in
            CommandSection(
                heading.title,
                compactMap { command in
                    guard case .section(heading) = command.position else { return nil }
                    return complete(command.node)
                })
        }
    }

    /// Returns a group with the commands that features add to it. Any other command is returned unchanged.
    private func complete(_ node: any CommandNode) -> any CommandNode {
        guard let group = node as? CommandGroup else { return node }
        var waiting = compactMap { command -> (node: any CommandNode, predecessor: String)? in
            guard case .group(group.name, let predecessor) = command.position else { return nil }
            return (command.node, predecessor)
        }
        guard !waiting.isEmpty else { return node }
        var commands = group.commands
        while let next = waiting.firstIndex(where: { added in commands.contains { $0.name == added.predecessor } }) {
            let added = waiting.remove(at: next)
            let index = commands.lastIndex { $0.name == added.predecessor }.map { $0 + 1 } ?? commands.endIndex
            commands.insert(added.node, at: index)
        }
        return CommandGroup(
            group.name, group.abstract, discussion: group.discussion, example: group.example,
            commands: commands + waiting.map(\.node))
    }
}
