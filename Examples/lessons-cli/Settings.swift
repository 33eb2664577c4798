import TenureClient
import TenureContentClient

/// The settings that a school builds into its app. This sample reads them from the environment, so that you can try it
/// against any server.
struct Settings {
    /// The learner's holder name.
    let learner: String
    /// The token that the school's server made for this device; `nil` if none is set.
    let token: String?
    /// The language of messages.
    let language: ContentLanguage
    /// The configuration of the content library.
    let contents: ContentConfiguration

    /// Reads the settings. Throws a sentence for the person if one is invalid.
    init(_ environment: [String: String]) throws(Complaint) {
        guard let folder = environment["LESSONS_HOME"] ?? environment["HOME"].map({ $0 + "/.lessons" }) else {
            throw Complaint("There is no home folder; set LESSONS_HOME to a folder for your lessons.")
        }
        learner = environment["LESSONS_LEARNER"] ?? "ada"
        token = environment["LESSONS_TOKEN"]
        language = ContentLanguage(preferring: [environment["LANG"] ?? "en"])
        var contents = ContentConfiguration(
            server: environment["LESSONS_SERVER"] ?? "http://127.0.0.1:8080",
            tenant: environment["LESSONS_SCHOOL"] ?? "acme")
        // A school's app contains the keys that `tenure key list` prints. This sample trusts the keys that the server
        // sends.
        contents.keyTrust = .served
        contents.folder = folder
        contents.deviceIdentifier = environment["LESSONS_DEVICE"]
        contents.clockFile = environment["LESSONS_CLOCK"]
        self.contents = contents
    }
}

/// An error, as a sentence for the person at the terminal.
struct Complaint: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
