import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace

/// The exchanges that a run has recorded so far, and the reasons for skipped requests.
///
/// All other values are derived from these.
struct SeenMarketplace: Sendable {
    let options: ConformanceOptions
    let draw: ConformanceDraw
    /// When the run began, by the clock of the host that runs the checks.
    let now: Timestamp
    private(set) var exchanges: [ConformanceQuestion: RecordedExchange] = [:]
    private(set) var skipped: [ConformanceQuestion: String] = [:]

    init(_ options: ConformanceOptions, draw: ConformanceDraw, now: Timestamp) {
        self.options = options
        self.draw = draw
        self.now = now
    }

    /// The endpoint URLs for the app; `nil` if the configuration can't be read.
    private(set) var places: ServedConfiguration.Places?
    /// The manifest of the package that is checked; `nil` until it has been received and parsed.
    private(set) var manifest: PackageManifest?

    /// Records an exchange; parses the configuration and the manifest immediately, because later requests need them.
    mutating func record(_ exchange: RecordedExchange) {
        exchanges[exchange.question] = exchange
        guard exchange.isDone, let body = exchange.response?.body.bytes else { return }
        switch exchange.question {
        case .configuration:
            let configuration = try? ServedConfiguration(json: body)
            places = options.item.flatMap { configuration?.places(for: $0) } ?? configuration?.standard
        case .manifest: manifest = try? PackageManifest(parsing: body)
        default: break
        }
    }

    mutating func skip(_ question: ConformanceQuestion, _ cause: String) { skipped[question] = cause }

    subscript(_ question: ConformanceQuestion) -> RecordedExchange? { exchanges[question] }

    /// Whether the server responded to at least one request.
    var hasAnswer: Bool { exchanges.values.contains { $0.response != nil } }

    /// Why the first request got no usable response. Without that response, no other request is sent.
    var silence: String { self[.configuration]?.whyNothing ?? "nothing was requested" }

    /// The certificate in the response to a request; `nil` if the response has none that can be read.
    func certificate(_ question: ConformanceQuestion) -> X509Certificate? {
        guard let exchange = self[question], exchange.isDone else { return nil }
        return exchange.response.flatMap { try? X509Certificate($0.body.bytes) }
    }

    /// The entry for the run's app in a list of a response; `nil` if there isn't one.
    func entry(_ list: String, in question: ConformanceQuestion) -> JSONValue? {
        guard let item = options.item, let entries = self[question]?.json?[list]?.list else { return nil }
        return entries.first { $0["appleItemId"]?.number == item.number }
    }

    /// The version that the run uses: from the options, or else the newest version that is offered, or else the
    /// package's version. `nil` if none of them is known.
    var version: AppleVersionID? {
        if let version = options.version { return version }
        let offered = entry("updates", in: .updatesFromNothing)?["appleVersionId"]?.number
        return offered.flatMap(AppleVersionID.init(number:)) ?? (options.packageURL == nil ? nil : manifest?.version)
    }

    /// The newest version: the version that is offered to a device with version 0, or else ``version``; `nil` if both
    /// are unknown.
    var newestVersion: AppleVersionID? {
        let offered = entry("updates", in: .updatesFromNothing)?["appleVersionId"]?.number
        return offered.flatMap(AppleVersionID.init(number:)) ?? version
    }

    /// The restore or update entry that contains the package's URL; `nil` if neither does.
    private var packageOffer: JSONValue? {
        [entry("restores", in: .restore), entry("updates", in: .updatesFromNothing)].compactMap { $0 }
            .first { $0["alternativeDistributionPackage"]?.text != nil }
    }

    /// The base URL of the package's files, without a trailing slash; `nil` if it isn't known.
    var packageBase: String? {
        let url = options.packageURL ?? packageOffer?["alternativeDistributionPackage"]?.text
        return url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// The package's host if it is neither the domain nor a subdomain of it; otherwise `nil`.
    var packageHost: String? {
        guard let host = packageBase.flatMap(ConformanceOptions.host) else { return nil }
        let domain = options.address.domain
        return host == domain || host.hasSuffix("." + domain) ? nil : host
    }

    /// Whether a host serves the marketplace's configuration.
    ///
    /// This is assumed of the domain and its subdomains. The package's host must have responded with the same
    /// configuration.
    func servesConfiguration(_ host: String) -> Bool {
        let domain = options.address.domain
        if host == domain || host.hasSuffix("." + domain) { return true }
        guard host == packageHost, let there = self[.packageHost], there.isDone, let here = self[.configuration] else {
            return false
        }
        return there.json != nil && there.json == here.json
    }

    /// The version that the checked package must have; `nil` if it isn't known.
    var packageVersion: AppleVersionID? {
        if options.packageURL != nil { return version }
        return packageOffer?["appleVersionId"]?.number.flatMap(AppleVersionID.init(number:)) ?? version
    }

    /// The package's smallest asset, to limit the download; `nil` if no manifest could be read.
    var asset: PackageManifest.Asset? { manifest?.assets.min { $0.size < $1.size } }

    /// The smallest delta if ``asset`` is a variant, and the smallest variant if it is a delta; `nil` if the package
    /// has none.
    var otherAsset: PackageManifest.Asset? {
        guard let manifest, let asset else { return nil }
        let variants = Set(manifest.variants.map(\.path))
        let others = manifest.assets.filter { variants.contains($0.path) != variants.contains(asset.path) }
        return others.min { $0.size < $1.size }
    }

    /// The verified license in the response to a question.
    ///
    /// `nil` if nothing was granted, or if the license isn't in the format of the simulation.
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

    /// Whether the response requires a token and the options have none.
    func wantsToken(_ exchange: RecordedExchange) -> Bool { exchange.status == 401 && options.token == nil }

    static let tokenWanted = "the server requires an account's token; use --token-file"

    /// Whether the server reads simulated requests, judging by its responses to a valid request and to random bytes.
    ///
    /// A server that refuses both with the same status probably expects Apple's own format.
    var readsSimulation: Bool {
        guard let whole = self[.license]?.status, (400...499).contains(whole), ![401, 402, 403, 429].contains(whole),
            whole == self[.licenseNoise]?.status
        else { return true }
        return false
    }
}
