import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit

/// App licenses as text, as a table or as JSON.
enum AppLicensePage {
    static func answer(_ license: AppLicense, at now: Timestamp, asJSON: Bool, on console: Console) {
        guard !asJSON else {
            console.answer { $0.appLicense(license, at: now) }
            return
        }
        console.answer(lines: [
            "license   \(license.id)",
            "number    \(license.id.number)",
            "app       \(license.item), version \(license.asset.version)",
            "asset     \(license.asset.asset)",
            "tenant    \(license.tenant)",
            "account   \(license.account?.text ?? "-")",
            "device    \(license.device.shortText)",
            "state     \(license.state(at: now).rawValue)"
                + (license.isReplaced ? ", replaced by a newer license" : ""),
            "term      \(license.term.start) \(license.term.end.map { "to \($0)" } ?? "with no end")",
            "issued    \(license.issuedAt)",
            "failed    \(license.failedAt.map { "a renewal was refused on \($0)" } ?? "no renewal refused in this term")",
        ])
    }

    static func table(_ licenses: [AppLicense], at now: Timestamp) -> TextTable {
        var table = TextTable([
            .text("license"), .text("app"), .text("version"), .text("account"), .text("device"), .text("state"),
            .text("ends"),
        ])
        for license in licenses {
            table.add([
                license.id.description, license.item.description, license.asset.version.description,
                license.account?.text ?? "-", license.device.shortText, license.state(at: now).rawValue,
                license.term.end?.description ?? "never",
            ])
        }
        return table
    }
}
