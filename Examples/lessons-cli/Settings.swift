import TenureClient
import TenureContentClient

/// What a school builds into its app. This sample takes it from the environment instead, so that it can be tried against
/// any server.
struct Settings {
    /// Whose lessons they are.
    let learner: String
    /// The token that the school's server made for this device; nil where none was handed over.
    let token: String?
    /// What people are told in.
    let language: ContentLanguage
    /// Which lessons, and where they are kept.
    let contents: ContentConfiguration

    /// Reads the settings. Throws: a sentence, when one cannot be used.
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
        // A school's app has the keys built in, as `tenure key list` prints them; a sample believes those it is shown.
        contents.keyTrust = .served
        contents.folder = folder
        contents.deviceIdentifier = environment["LESSONS_DEVICE"]
        contents.clockFile = environment["LESSONS_CLOCK"]
        self.contents = contents
    }
}

/// What went wrong, in a sentence for the person at the terminal.
struct Complaint: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
