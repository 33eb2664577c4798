/// What came of something that a person asked for.
public enum LicenseAnswer: Sendable, Hashable {
    /// It is done; the manager's state says what follows.
    case done
    /// The server said no, and why. Nothing here was changed, but a trial that it refuses is over.
    case refused(Explanation)
    /// Nobody could be asked, and why. Nothing here was changed; it may be tried again at any time.
    case unreached(Explanation)
}
