import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The licenses whose terms end within the next thirty days, for `tenure status`.
///
/// Test licenses are left out: all of them end within a week.
struct EndingLicenses: Sendable {
    /// The licenses that end first, at most ``shown``.
    let first: [License]
    /// How many end within seven and within thirty days; at most ``most``.
    let (withinWeek, withinMonth): (Int, Int)
    /// Whether there may be more licenses than were read.
    private let isCut: Bool

    private static let shown = 10
    private static let most = 1_000

    init(in store: any Store, at now: Timestamp) async throws(StoreError) {
        let all = try await store.licenses(endingAfter: now, by: now.adding(days: 30), limit: Self.most)
        let ending = all.filter { !$0.isTest }
        isCut = all.count == Self.most
        let week = now.adding(days: 7)
        first = Array(ending.prefix(Self.shown))
        withinWeek = ending.count { $0.term.end.map { $0 <= week } ?? false }
        withinMonth = ending.count
    }

    var lines: [String] {
        guard withinMonth > 0 || isCut else { return ["ending       no license within 30 days"] }
        let some = isCut ? " or more" : ""
        let head =
            "ending       \(withinMonth)\(some) within 30 days, \(withinWeek)\(withinWeek == withinMonth ? some : "") within 7 days"
        let rest =
            withinMonth > first.count
            ? ["             ...; `tenure license list --expires-before DATE` lists more"] : []
        return [head]
            + first.map { license in
                let end = license.term.end?.local ?? ""
                return "             \(license.id)  \(end)  \(license.holder ?? license.key.masked)"
            } + rest
    }

    /// Writes the members `ending` and `endingLicenses` of the status as JSON.
    func write(into body: inout JSONObjectWriter) {
        body.object("ending") { counts in
            counts.member("within7d", withinWeek)
            counts.member("within30d", withinMonth)
        }
        body.array("endingLicenses") { list in
            for license in first {
                list.object { object in
                    object.member("id", license.id.description)
                    object.member("product", license.product.description)
                    object.member("holder", license.holder)
                    object.member("expiresAt", license.term.end?.description)
                }
            }
        }
    }

    /// The schemas of the members `ending` and `endingLicenses`.
    static let members: [Schema.OutputMember] = [
        ("ending", .counts),
        (
            "endingLicenses",
            .list(
                of: .output([
                    ("id", .text()), ("product", .text()), ("holder", .textOrNull), ("expiresAt", .dateTime),
                ]))
        ),
    ]
}
