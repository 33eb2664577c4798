import TenureClient

/// The settings that a vendor builds into an app. This sample reads them from the environment, so that you can try it
/// against any server and with both dialects.
struct Settings {
    /// The folder of the notes.
    let folder: String
    /// The licensing configuration of Notes.
    let license: LicenseConfiguration

    /// The number of notes in the free plan.
    static let freeNotes = 3
    /// The entitlement that `export` needs.
    static let export = "export"

    /// Reads the settings. Throws a sentence for the person if one is invalid.
    init(_ environment: [String: String]) throws(Complaint) {
        guard let folder = environment["NOTES_HOME"] ?? environment["HOME"].map({ $0 + "/.notes" }) else {
            throw Complaint("There is no home folder; set NOTES_HOME to a folder for your notes.")
        }
        self.folder = folder
        var license = LicenseConfiguration(
            server: environment["NOTES_SERVER"] ?? "http://127.0.0.1:8080", tenant: "acme", product: "notes")
        guard let dialect = Dialect(rawValue: environment["NOTES_DIALECT"] ?? "tenure") else {
            throw Complaint("NOTES_DIALECT is tenure or keylight.")
        }
        license.dialect = dialect
        license.folder = folder
        license.deviceName = environment["NOTES_DEVICE_NAME"] ?? "Notes in a terminal"
        license.deviceIdentifier = environment["NOTES_DEVICE"]
        license.clockFile = environment["NOTES_CLOCK"]
        // A trial that starts offline lasts two weeks. The server confirms it later.
        license.trialDays = 14
        if let keys = environment["NOTES_KEYS"] {
            license.signingKeys = try Self.keys(keys)
        } else {
            license.keyTrust = .served
        }
        self.license = license
    }

    /// Parses `k1-q7d2=BASE64,k2-8zv4=BASE64`.
    private static func keys(_ text: String) throws(Complaint) -> [String: String] {
        var keys: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { throw Complaint("NOTES_KEYS is k1-q7d2=BASE64,k2-8zv4=BASE64.") }
            keys[String(halves[0])] = String(halves[1])
        }
        return keys
    }
}

/// An error, as a sentence for the person at the terminal.
struct Complaint: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
