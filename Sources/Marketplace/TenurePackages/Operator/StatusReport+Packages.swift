import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit

extension StatusReport {
    /// Packages that aren't served yet, and takedown notifications for packages that the server doesn't know.
    static let packages = StatusReport(members: [
        (
            "imports",
            .list(
                of: .output([
                    ("tenant", .text()), ("appleItemID", .textOrNull), ("state", .text()), ("cause", .textOrNull),
                    ("nextAt", .momentOrNull),
                ]))
        ),
        (
            "unmatchedNotifications",
            .list(
                of: .output([
                    ("tenant", .text()), ("id", .text()), ("type", .text()), ("receivedAt", .dateTime),
                    ("detail", .textOrNull),
                ]))
        ),
    ]) { context in
        let context = FeatureContext(context.store, clock: context.clock)
        let (unmatched, imports) = (try await context.unmatchedNotices(), try await context.unfinishedImports())
        return [part(imports), part(unmatched)]
    }

    private static func part(_ imports: [PackageImport.Line]) -> StatusPart {
        let states = Dictionary(grouping: imports, by: { "\($0.tenant) \($0.state)" }).sorted { $0.key < $1.key }
        let fetched = states.map { key, lines in
            let parts = key.split(atByte: " ", maxSplits: 1)
            let causes = Set(lines.compactMap(\.cause)).sorted().joined(separator: ", ")
            return "packages     \(parts[0]): \(lines.count) \(parts[1])" + (causes.isEmpty ? "" : " (\(causes))")
        }
        return StatusPart(.details, fetched) { body in
            body.array("imports") { list in
                for line in imports {
                    list.object { body in
                        body.member("tenant", line.tenant.text)
                        body.member("appleItemID", line.item?.description)
                        body.member("state", line.state)
                        body.member("cause", line.cause)
                        body.member("nextAt", line.nextAt?.description)
                    }
                }
            }
        }
    }

    /// Lists up to ten takedowns for unknown packages, latest first.
    private static func part(_ unmatched: [Notice.Line]) -> StatusPart {
        let takedowns = unmatched.prefix(10).map { line in
            "unmatched    \(line.tenant): \(line.type) of \(line.receivedAt.local), \(line.detail ?? "no package")"
        }
        return StatusPart(.details, takedowns) { body in
            body.array("unmatchedNotifications") { list in
                for line in unmatched {
                    list.object { body in
                        body.member("tenant", line.tenant.text)
                        body.member("id", line.id)
                        body.member("type", line.type)
                        body.member("receivedAt", line.receivedAt.description)
                        body.member("detail", line.detail)
                    }
                }
            }
        }
    }
}
