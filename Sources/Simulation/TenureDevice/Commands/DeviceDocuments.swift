import TenureCommandLine
import TenureCore
import TenureFormats

extension JSONObjectWriter {
    /// Writes the facts of a device, without its apps.
    mutating func device(_ device: Device) {
        member("deviceID", base64: device.id)
        member("model", device.model)
        member("os", device.systemVersion)
        member("server", device.server.text)
        member("domain", device.server.domain)
        member("account", device.account?.text)
        member("clockFile", device.clockFile)
        member("lastDailyJob", device.lastDailyJob?.description)
    }

    /// Writes an installed app with its license, and whether the app launches.
    mutating func app(_ app: InstalledApp, at now: Timestamp) {
        member("appleItemID", app.item.description)
        member("appleVersionID", app.version.description)
        member("assetPublicID", app.asset.text)
        member("bundleID", app.bundleID)
        member("name", app.name)
        member("shortVersion", app.versions?.short)
        member("account", app.account?.text)
        member("licenseID", app.license.map { String($0.id) })
        member("issuedAt", app.license?.term.start.description)
        member("expiresAt", app.license?.term.end?.description)
        launch(app.launch(at: now))
    }

    /// Writes whether an app launches, and if not, why.
    mutating func launch(_ decision: LaunchDecision) {
        switch decision {
        case .launches:
            member("launches", true)
            null("blockedBy")
        case .blocked(let block):
            member("launches", false)
            member("blockedBy", block.code)
        }
    }
}

extension InstalledApp {
    /// The license's end in words, such as `until 2027-01-31T12:00:00Z, in 12 days`.
    func endWords(at now: Timestamp) -> String {
        guard let license else { return "without a license" }
        guard let end = license.term.end else { return "forever" }
        return "until \(end.local), \(end.words(from: now))"
    }

    /// Whether the app launches, in words.
    func launchWords(at now: Timestamp) -> String {
        switch launch(at: now) {
        case .launches: "launches"
        case .blocked(.noLicense): "does not launch: it has no license"
        case .blocked(.ineligible(let since)):
            "does not launch: the marketplace has refused to renew its license since \(since.local)"
        case .blocked(.expired(let end)):
            "does not launch: its license expired on \(end.local), \(end.words(from: now))"
        }
    }
}

extension Timestamp {
    /// The distance between two times: `in 12 days`, `3 hours ago`.
    ///
    /// The distance is first rounded to the next smaller unit, then cut to whole units. A 30-day license that was
    /// issued a second ago therefore has 30 days left, not 29.
    func words(from now: Timestamp) -> String {
        let seconds = now.seconds(until: self)
        let distance = seconds.magnitude
        let (number, unit): (UInt64, String) =
            switch distance {
            case ..<120: (distance, "second")
            case ..<7200: (distance / 60, "minute")
            case ..<172_800: ((distance + 30) / 3600, "hour")
            default: ((distance + 1800) / 86_400, "day")
            }
        let words = "\(number) \(unit)\(number == 1 ? "" : "s")"
        return seconds < 0 ? "\(words) ago" : "in \(words)"
    }
}
