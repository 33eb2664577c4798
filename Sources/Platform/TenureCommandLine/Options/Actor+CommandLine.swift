package import TenureCore

extension Actor {
    /// The actor recorded for changes that are made with the command line.
    package static let commandLine = Actor.operator("cli")
}
