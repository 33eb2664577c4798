import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// The content API below `/content/{tenant}/v1` (`Documentation/content.md`).
///
/// Vendors manage enrolments and licenses. Devices get signed grants and refusals. This type translates requests and
/// responses; the decisions are made elsewhere. It is a class because every endpoint holds it, and a struct would be
/// copied for every request.
final class ContentDialect: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    init(store: any Store, catalog: CatalogCache, clock: any WallClock, randomness: Randomness) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
        self.randomness = randomness
    }

    /// All endpoints of the content API.
    var endpoints: [Endpoint] {
        [addEnrolment, importEnrolments, listEnrolments, showEnrolment, endEnrolment] + enrolmentActs
            + [makeToken, makeLink, endHolder, contents, issue, renewals, usage, giveBack]
            + [listLicenses, showLicense, explainLicense] + licenseActs + [devices, releaseDevice, time, keys]
            + [kollusToken, doveRunnerToken, axinomToken]
    }

    /// The common path prefix.
    static let base = "/content/{tenant}/v1"

    /// Admits operator tokens with a scope and, if asked to, holder tokens.
    func with(_ scope: String, orHolder: Bool = false) -> Admission<CatalogSnapshot, ContentPlace> {
        .content(scope, orHolder: orHolder, by: self)
    }

    /// Admits holder tokens only.
    var holder: Admission<CatalogSnapshot, HolderPlace> { .holder(by: self) }

    /// Checks that the tenant offers content; throws ``Failure`` with status 404 otherwise.
    func checkOffer(of tenant: TenantID) async throws {
        if catalog.current.catalog.tenants[tenant]?.contents != nil { return }
        _ = try await catalog.refreshIfChanged().contents(of: tenant)
    }

    /// Returns the server's time, signed together with a nonce from the device.
    private var time: Endpoint {
        let fields = Fields { fields in
            try fields.required("nonce", .timeNonce, in: .query, "A random value chosen by the device.")
        }
        let document = Document<String>(
            nil, [.text("time", "A compact JWS of type `tenure-time+jwt` with `nonce` and `issuedAt`.") { $0 }])
        return Endpoint(
            "GET", Self.base + "/time", .contents, .checked, admits: .tenant, reads: fields,
            operation: Operation("getContentTime", "devices", "Get the time, signed").answered(200, with: document)
        ) { [self] call in
            let (tenant, snapshot) = call.place
            let key = try snapshot.keyRing(of: tenant).primary
            guard let time = ContentTime(tenant: tenant, nonce: call.input, at: clock.now()) else {
                throw Failure(FieldFault("nonce", in: .query, .invalid(must: ContentTime.nonceWords)))
            }
            let signed = String(decoding: time.signed(kid: key.kid, with: key.privateKey), as: UTF8.self)
            return .done(.json(document.json(signed)))
        }
        .dated()
    }

    /// Returns the tenant's lease keys as a JWK set.
    private var keys: Endpoint {
        let key = Document<PublishedKeys.Key>(
            nil,
            [
                .text("kty", "Always `OKP`.") { _ in "OKP" }, .text("crv", "Always `Ed25519`.") { _ in "Ed25519" },
                .text("use", "Always `sig`.") { _ in "sig" },
                .text("alg", "Always `EdDSA`.") { _ in JWSAlgorithm.edDSA.rawValue },
                .text("kid", "The key id in statements.") { $0.kid },
                .text("x", "The public key in base64url.") { Base64.encodeURL($0.publicKey.bytes) },
            ])
        let document = Document<[PublishedKeys.Key]>(nil, [.list("keys", of: key) { $0 }])
        return Endpoint(
            "GET", Self.base + "/keys", .contents, .checkedIfAvailable, admits: .tenant, reads: .none,
            operation: Operation("getContentKeys", "devices", "Get the keys that verify signed statements")
                .answered(200, with: document)
        ) { [self] call in
            let (tenant, snapshot) = call.place
            return .done(.json(document.json(try snapshot.publishedKeys(of: tenant, at: clock.now()).keys)))
        }
    }
}

extension Admission where Snapshot == CatalogSnapshot, Place == (TenantID, CatalogSnapshot) {
    /// Admits every request if the tenant offers content.
    static var tenant: Admission {
        Admission(credentials: [], members: [.tenant]) { _, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw Failure.noContents }
            _ = try snapshot.contents(of: tenant)
            return (tenant, snapshot)
        }
    }
}

extension Shape where Value == String {
    /// The nonce of a request for the time.
    fileprivate static var timeNonce: Shape {
        .text(
            ContentTime.nonceWords, like: String(repeating: "A", count: 22),
            schema: .text(length: 16...64, pattern: "^[A-Za-z0-9_-]+$")
        ) { $0 }
    }
}

extension ContentTime {
    /// The format of a nonce, for error messages.
    fileprivate static let nonceWords = "16 to 64 characters: A-Z, a-z, 0-9, _ and -"
}

extension Style {
    /// The response format of the content API: problem details (RFC 9457).
    ///
    /// Refusals to devices also contain a signed statement.
    static let contents = Style.contents(words: ProblemWords.operators.words)

    /// The response format of the content API with other texts for requests that can't be read.
    static func contents(
        words unreadable: @escaping @Sendable (Unreadable) -> (code: String?, title: String?, detail: String)
    ) -> Style {
        let words = ProblemWords(
            status: { code in
                switch code {
                case .contentLicenseUnknown: 404
                case .selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp: 403
                default: 409
                }
            }, title: ProblemWords.operators.title, tellsCures: true, words: unreadable)
        var style = Style.problems(by: words)
        style.longestBody = 256 << 10
        style.headers = ["Cache-Control": "no-store"]
        style.readsNoBodyAsEmpty = true
        style.readsEmptyAsAbsent = false
        return style
    }

    /// The response format of lists.
    ///
    /// Unknown filters are rejected, because ignoring them would list everything.
    static let contentLists: Style = {
        var style = Style.contents
        style.unknownMembers = .refused
        return style
    }()
}
