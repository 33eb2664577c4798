import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

extension ContentContext {
    /// The learner page, under `/content/{tenant}/learner`.
    ///
    /// It shows a holder's courses and content items: the state of each item, why it is locked, and what helps. It also
    /// shows devices, which the holder may release as far as the policies allow it.
    ///
    /// - Parameter notices: Notices about the server that every page shows.
    func learnerPages(notices: [PageFrame.Notice]) -> [Endpoint] {
        let group = PageGroup(.learner, notices: notices, fault: "learner_page_failed", formsMayBeEmpty: true) {
            vendor, _ in vendor.contents == nil ? nil : PageFrame(.learner, of: vendor, notices: notices)
        }
        let pages = SessionPages(
            group, PageSessions(HolderCredential.self, catalog: catalog, clock: clock),
            isLinkInPath: true,
            link: { text, _ in LinkView(text: text, shows: LearnerPageText.linkShows.spoken()) },
            entrance: { visitor, _ in
                let language = visitor.visit.frame.language
                return Page(
                    title: LearnerPageText.title(in: language), paragraph: LearnerPageText.closedText(in: language))
            },
            start: { visitor, owner throws(ServerError) in
                let contents = try await self.learnerContents(of: owner.holder, at: owner.tenant)
                return LearnerView(contents, in: visitor.visit.frame).page
            })
        let device = Fields { fields in try fields.optional("device", .formText) }
        return pages.endpoints + pages.action("release", device, releaseOnLearnerPage)
    }

    private func releaseOnLearnerPage(
        _ act: PageAct<HolderName>, _ device: String?
    ) async throws(ServerError) -> OutcomeView.Outcome? {
        let (holder, tenant, language) = (act.owner.holder, act.owner.tenant, act.frame.language)
        let unknown = OutcomeView.Outcome.placeKept([LearnerPageText.noSuchDevice(in: language)])
        guard let device = device.flatMap({ Hex.decode($0) }).flatMap({ Digest($0) }) else { return unknown }
        let contents = try await learnerContents(of: holder, at: tenant)
        let name = contents.devices.first { $0.listed.device == device }?.listed.shownName(in: language)
        switch try await releaseDevice(device, of: holder, at: tenant, by: .holder, in: act.token.hash) {
        case .released: return .contentsReleased(name)
        case .refused(let refusal): return .placeKept(refusal.first.toldOfRelease(in: act.frame.locale))
        case .unknown: return unknown
        case .noSession: return nil
        }
    }
}

extension PageSite {
    /// Pages for a holder of offline content.
    static let learner = PageSite(
        "content", after: "learner", languages: PageLanguage.allCases, matter: LearnerPageText.matter.spoken())
}
