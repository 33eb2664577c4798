import TenureContent
import TenureCore
package import TenureServerKit
import TenureStore

extension Room {
    /// The server's feature for offline content.
    ///
    /// It contains enrolments, licenses on devices with their use, callbacks for Kollus's players, and the learner
    /// page.
    package static let content: Room = {
        var room = Room("content")
        room.tables = [
            ContentOfferRow.kept(), ContentPolicyRow.kept(by: ContentPolicyRow.ofTenant),
            ContentItemRow.kept(by: ContentItemRow.ofTenant), CourseRow.kept(by: CourseRow.ofTenant),
            CourseItemRow.kept(by: CourseItemRow.ofTenant), ContentTargetRow.kept(by: ContentTargetRow.ofTenant),
            CallbackTokenRow.kept(by: CallbackTokenRow.ofTenant),
            Enrolment.kept(
                by: Enrolment.byReference, Enrolment.ofTenant, Enrolment.toScope, Enrolment.ofHolder),
            EnrolmentPlace.kept(by: EnrolmentPlace.ofEnrolment),
            EarlyTaking.kept(by: EarlyTaking.ofEnrolment, EarlyTaking.byAge),
            ContentLicense.kept(
                by: ContentLicense.ofTenant, ContentLicense.ofHolder, ContentLicense.onDevice,
                ContentLicense.ofContent, ContentLicense.ofEnrolment, ContentLicense.ofPlace),
            ReportedPlay.kept(by: ReportedPlay.ofLicense), KeptReply.kept(by: KeptReply.byAge),
            HolderCredential.kept(
                by: HolderCredential.ofHolder, HolderCredential.byExpiry, HolderCredential.byEnd),
            ContentDevice.kept(by: ContentDevice.ofHolder),
            DeviceRelease.kept(by: DeviceRelease.ofHolder, DeviceRelease.byAge),
        ]
        room.catalog = .contents
        room.listing = .contents
        room.reasons = [Room.Family("Contents", Reason.Kind.content)]
        room.requests = [Room.Family("Requests about contents", Reason.Kind.contentRequests)]
        room.events = [Room.Family("Contents", EventKind.content)]
        room.takenBack = TakenBack.content
        room.records = [.enrolments, .contentLicenses]
        room.laws = { inspection in RowLaw.content(inspection) }
        room.forgets = [
            Forgets(Forgetting(KeptReply.byAge), by: "at", after: KeptReply.lifetime) { $0.at < $1 },
            Forgets(Forgetting(HolderCredential.byExpiry), by: "expires_at", after: Forgets.credentialSeconds) {
                $0.expiresAt < $1
            },
            Forgets(Forgetting(HolderCredential.byEnd), by: "ended_at", after: Forgets.credentialSeconds) {
                credential, limit in credential.endedAt.map { $0 < limit } ?? false
            },
            Forgets(Forgetting(EarlyTaking.byAge), by: "at", after: Int64(EarlyTaking.countedDays) * 86_400) {
                $0.at < $1
            },
            Forgets(Forgetting(DeviceRelease.byAge), by: "at", after: Int64(SelfRelease.countedDays) * 86_400) {
                $0.at < $1
            },
        ]
        room.commands = { installations in
            [
                FeatureCommand(EnrolmentCommands.group(installations), after: "support"),
                FeatureCommand(ContentCommands.group(installations), after: "enrolment"),
            ]
        }
        room.open = { context throws(ServerError) in try OpenRoom(content: context) }
        return room
    }()
}

extension OpenRoom {
    fileprivate init(content context: ServerContext) throws(ServerError) {
        self.init()
        let callbacks = try KollusCallbacks(context)
        endpoints = ContentContext(context).endpoints + callbacks.endpoints + LearnerPages(context).endpoints
        services = [
            EnterCompletions(book: callbacks.book, answer: callbacks.answer, catalog: context.catalog)
        ]
        gauges = { callbacks.book.exposition }
    }
}
