/// The advisory locks that servers on one database share: "TNUR" and a number.
///
/// | number | held by |
/// |---|---|
/// | 1 | a migration, to its commit |
/// | 2 | changes of the catalog alone, other changes together, to their commit |
/// | 3 | a change with events, from just before they get their numbers to its commit |
/// | 16... | the server that leads in a role, for as long as its session lives |
///
/// Answers to requests and the owners of app licenses have locks of one number of 64 bits each, to the commit.
///
/// The third makes the order of numbers the order of commits, so that a reader never passes a number that is yet to
/// come. Its cost: commits that write events are one after the other across all servers.
enum AdvisoryLock {
    static let space: StaticString = "1414419794"
}
