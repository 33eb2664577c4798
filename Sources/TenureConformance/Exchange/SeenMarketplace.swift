package import TenureCore
import TenureCrypto
import TenureDevice
import TenureFormats
import TenureHTTPClient

/// What a run has seen so far: exchanges and why others were not had; everything else follows from these.
package struct SeenMarketplace: Sendable {
    package let options: ConformanceOptions
    let draw: ConformanceDraw
    /// When the run began.
    let now: Timestamp
    package private(set) var exchanges: [ConformanceQuestion: RecordedExchange] = [:]
    package private(set) var skipped: [ConformanceQuestion: String] = [:]

    package init(_ options: ConformanceOptions, draw: ConformanceDraw, now: Timestamp) {
        self.options = options
        self.draw = draw
        self.now = now
    }

    /// Where the endpoints for the app are; nil where the configuration cannot be read.
    private(set) var places: ServedConfiguration.Places?
    /// The manifest of the package that was looked at.
    private(set) var manifest: PackageManifest?

    /// Remembers what came back; what all that follows stands on is read at once.
    package mutating func record(_ exchange: RecordedExchange) {
        exchanges[exchange.question] = exchange
        guard exchange.isDone, let body = exchange.response?.body else { return }
        switch exchange.question {
        case .configuration:
            let configuration = try? ServedConfiguration(json: body)
            places = options.item.flatMap { configuration?.places(for: $0) } ?? configuration?.standard
        case .manifest: manifest = try? PackageManifest(parsing: body)
        default: break
        }
    }

    package mutating func skip(_ question: ConformanceQuestion, _ cause: String) { skipped[question] = cause }

    subscript(_ question: ConformanceQuestion) -> RecordedExchange? { exchanges[question] }

    /// Whether anything answered at all.
    package var hasAnswer: Bool { exchanges.values.contains { $0.response != nil } }

    /// Why there was no answer to the first question.
    package var silence: String { self[.configuration]?.whyNothing ?? "nothing was asked" }

    /// The certificate that was served, as a device takes it.
    func certificate(_ question: ConformanceQuestion) -> X509Certificate? {
        guard let exchange = self[question], exchange.isDone else { return nil }
        return exchange.response.flatMap { try? X509Certificate($0.body) }
    }

    /// The entry of an answer for the app that the run is about.
    func entry(_ list: String, in question: ConformanceQuestion) -> JSONValue? {
        guard let item = options.item, let entries = self[question]?.json?[list]?.list else { return nil }
        return entries.first { $0["appleItemId"]?.number == item.number }
    }

    /// The version that the run is about: the one given, or the newest that is offered, or the package's.
    var version: AppleVersionID? {
        if let version = options.version { return version }
        let offered = entry("updates", in: .updatesFromNothing)?["appleVersionId"]?.number
        return offered.flatMap(AppleVersionID.init(number:)) ?? (options.packageURL == nil ? nil : manifest?.version)
    }

    /// The newest version: the one that is offered to a device that has version 0, else the one that the run is about.
    var newestVersion: AppleVersionID? {
        let offered = entry("updates", in: .updatesFromNothing)?["appleVersionId"]?.number
        return offered.flatMap(AppleVersionID.init(number:)) ?? version
    }

    /// The offer that says where the package is, where no `--package` does.
    private var packageOffer: JSONValue? {
        [entry("restores", in: .restore), entry("updates", in: .updatesFromNothing)].compactMap { $0 }
            .first { $0["alternativeDistributionPackage"]?.text != nil }
    }

    /// Where the package's files are, without a slash at the end.
    var packageBase: String? {
        let url = options.packageURL ?? packageOffer?["alternativeDistributionPackage"]?.text
        return url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// The package's host where that is neither the domain nor below it; nil otherwise.
    var packageHost: String? {
        guard let host = packageBase.flatMap(ConformanceOptions.host) else { return nil }
        let domain = options.address.domain
        return host == domain || host.hasSuffix("." + domain) ? nil : host
    }

    /// Whether a host serves the marketplace's configuration.
    func servesConfiguration(_ host: String) -> Bool {
        let domain = options.address.domain
        if host == domain || host.hasSuffix("." + domain) { return true }
        guard host == packageHost, let there = self[.packageHost], there.isDone, let here = self[.configuration] else {
            return false
        }
        return there.json != nil && there.json == here.json
    }

    /// The version whose package is looked at.
    var packageVersion: AppleVersionID? {
        if options.packageURL != nil { return version }
        return packageOffer?["appleVersionId"]?.number.flatMap(AppleVersionID.init(number:)) ?? version
    }

    /// The smallest asset of the package, so that little is asked for.
    var asset: PackageManifest.Asset? { manifest?.assets.min { $0.size < $1.size } }

    /// What was granted, as its own format; nil where that is another than the simulation, or nothing was granted.
    func granted(_ question: ConformanceQuestion) -> SimulatedAppLicense? {
        guard let certificate = certificate(.signingCertificate) else { return nil }
        return unverified(question).flatMap { try? $0.verify(trusting: certificate) }
    }

    func unverified(_ question: ConformanceQuestion) -> UnverifiedSimulatedAppLicense? {
        guard let exchange = self[question], exchange.isDone, let text = exchange.json?["license"]?.text,
            let document = Base64.decode(text)
        else { return nil }
        return try? UnverifiedSimulatedAppLicense(compact: document)
    }

    /// Whether an answer wants a token that the run was not given.
    func wantsToken(_ exchange: RecordedExchange) -> Bool { exchange.status == 401 && options.token == nil }

    static let tokenWanted = "the server wants an account's token: give --token-file"

    /// Whether the server reads simulated requests at all: what it answers to a whole one it does not answer to noise.
    var readsSimulation: Bool {
        guard let whole = self[.license]?.status, (400...499).contains(whole), ![401, 402, 403, 429].contains(whole),
            whole == self[.licenseNoise]?.status
        else { return true }
        return false
    }
}
