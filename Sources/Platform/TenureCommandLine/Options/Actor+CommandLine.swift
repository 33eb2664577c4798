package import TenureCore

extension Actor {
    /// The user of the command line.
    package static let commandLine = Actor.operator("cli")
}
