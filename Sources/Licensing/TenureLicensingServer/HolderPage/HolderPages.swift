import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The page of one license, where the holder sees its devices and releases them as far as the policy allows.
///
/// It's for a holder whose old device is lost and whose new one can't be activated.
struct HolderPages: Sendable {
    let licensing: LicensingContext
    /// Notices about the server that every page shows.
    let notices: [PageFrame.Notice]

    /// The pages under `/portal/{tenant}`.
    var endpoints: [Endpoint] {
        let group = PageGroup(.holder, notices: notices, fault: "license_page_failed") { [notices] vendor, _ in
            PageFrame(.holder, of: vendor, notices: notices)
        }
        let pages = SessionPages(
            group, PageSessions(LicenseCredential.self, catalog: licensing.catalog, clock: licensing.clock),
            link: { text, _ in LinkView(text: text, shows: LicensePageText.linkShows.spoken()) },
            entrance: { visitor, _ in
                let language = visitor.visit.frame.language
                return Page(
                    title: LicensePageText.closedTitle(in: language),
                    paragraph: LicensePageText.closedText(in: language))
            },
            start: { visitor, license throws(ServerError) in
                let contents = try await contents(of: license, under: visitor.snapshot)
                return HolderView(contents, in: visitor.visit.frame).page
            })
        let activation = Fields { fields in try fields.optional("activation", .formText) }
        return pages.endpoints + pages.action("release", activation, release)
    }

    private func contents(
        of license: License, under snapshot: CatalogSnapshot
    ) async throws(ServerError) -> HolderView.Contents {
        let policy = try snapshot.policy(of: license)
        let product = snapshot.catalog[license.product]
        let (devices, left) = try await licensing.devices(of: license.id, under: policy)
        return HolderView.Contents(
            license: license, product: product?.name ?? license.product.product.text, policy: policy,
            explanation: try await licensing.explain(license, to: .holder),
            devices: devices.shown(by: try licensing.catalog.secrets.names), left: left,
            renewal: (policy.renewURL ?? product?.renewURL).flatMap { PageLink(renewing: license.id, at: $0) },
            now: licensing.clock.now())
    }
}

extension PageLink {
    /// Creates a link to the vendor's address for renewals. `{license}` in it becomes the license's id, so that a shop
    /// knows which license to renew.
    fileprivate init?(renewing license: LicenseID, at url: String) {
        self.init(web: url.replacing("{license}", with: license.description))
    }
}

extension PageSite {
    static let holder = PageSite(
        "portal", matter: LicensePageText.matter.spoken(), backToStart: .toLicense)
}
