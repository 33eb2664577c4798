package import TenureCommandLine

/// A command that a feature adds to the program.
package struct FeatureCommand: Sendable {
    package let node: any CommandNode
    /// The name of the command group that it belongs to, which another feature may define; `nil` for the top level.
    package let group: String?
    /// The name of the command that help pages list before it; without such a command, it comes last.
    package let predecessor: String?

    package init(_ node: any CommandNode, in group: String? = nil, after predecessor: String?) {
        self.node = node
        self.group = group
        self.predecessor = predecessor
    }
}

extension Feature {
    /// Returns the feature with additional commands, such as those of a simulated client.
    package func adding(_ further: FeatureCommand...) -> Feature {
        var feature = self
        feature.commands = { [commands] installations in commands(installations) + further }
        return feature
    }
}

extension [any CommandNode] {
    /// Returns these commands and the features' commands, in the order of the help pages.
    package func adding(_ added: [FeatureCommand]) -> [any CommandNode] {
        var nodes = self
        nodes.insert(added.filter { $0.group == nil })
        return nodes.map { node in
            let members = added.filter { $0.group == node.name }
            guard let group = node as? CommandGroup, !members.isEmpty else { return node }
            var commands = group.commands
            commands.insert(members)
            return CommandGroup(
                group.name, group.abstract, discussion: group.discussion, example: group.example, commands: commands)
        }
    }

    private mutating func insert(_ added: [FeatureCommand]) {
        var waiting = added
        while let next = waiting.firstIndex(where: { command in contains { $0.name == command.predecessor } }) {
            let command = waiting.remove(at: next)
            let place = lastIndex { $0.name == command.predecessor }.map { $0 + 1 } ?? endIndex
            insert(command.node, at: place)
        }
        self += waiting.map(\.node)
    }
}
