/// How a command ended, as the shell sees it.
package enum ExitCode: Int32, Sendable, Hashable {
    /// It did what was asked.
    case done = 0
    /// It was refused, or it failed.
    case failed = 1
    /// It was called wrongly; nothing was tried.
    case usage = 2
}
