/// The advisory locks that the servers on one database share: "TNUR" and a number.
///
/// | number | held by |
/// |---|---|
/// | 1 | a migration, until its commit |
/// | 2 | catalog changes exclusively, other changes shared, until their commit |
/// | 16... | the server that leads in a role, for the life of its session |
///
/// Each ``QueryLock`` uses 64-bit lock numbers of its own, held until the commit.
enum AdvisoryLock {
    static let space: StaticString = "1414419794"
}
