import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension ContentContext {
    /// Issues a license for a content item to a device, or returns the existing one.
    func issue(
        _ content: ContentID, to holder: PresentHolder, _ request: NamedRequest
    ) async throws(ServerError) -> DeviceRequest.Outcome<Void> {
        var random = randomness.generator()
        let contentRequest = ContentRequest(
            tenant: holder.tenant, holder: holder.holder, device: holder.device, content: content,
            request: request.id, newID: .random(using: &random))
        let newEnrolment = EnrolmentID.random(using: &random)
        return try await performOnce(
            request, of: holder, naming: .init(contents: [content])
        ) { [catalog] state, context in
            if context.token.releasedAt != nil {
                let no = ContentAnswer(outcome: .refused, license: nil, reasons: [Reason(.deviceReleased)])
                return .init(
                    reply: .no(no, to: contentRequest, in: holder.language, at: context.now), isKept: false, extra: ())
            }
            let licenses = state.licenses.values.filter { $0.present.content == content }.sorted { $0.id < $1.id }
            let active = licenses.first { $0.state == .active }
            let answer = ContentLicense.issue(
                contentRequest, existing: licenses,
                offers: state.offers(of: content, besides: active?.id, orNew: newEnrolment, at: context.now),
                at: context.now)
            if answer.reasons.first?.code == .enrolmentUnknown { try catalog.checkLoss() }
            let needs = state.needs(answer, after: active)
            state.apply(answer.consequences)
            guard let license = answer.license, answer.outcome != .refused else {
                return .init(
                    reply: .no(answer, to: contentRequest, in: holder.language, at: context.now), extra: (),
                    needs: needs)
            }
            state.put(license.seen(at: context.now, besides: active))
            let itemAnswer = ContentItemAnswer(answer, to: request.id, in: holder.language, at: context.now)
            let reply = ContentReply { $0.item(itemAnswer) }
            return .init(reply: reply, extra: (), needs: needs)
        }
    }

    /// Returns a license for good at the request of its device.
    func giveBack(
        _ id: ContentLicenseID, by holder: PresentHolder, _ request: NamedRequest
    ) async throws(ServerError) -> DeviceRequest.Outcome<Bool> {
        try await performOnce(
            request, of: holder, naming: .init(licenses: [id])
        ) { state, context in
            guard let license = state.licenses[id] else {
                return .init(reply: ContentReply { _ in }, isKept: false, extra: false)
            }
            if context.token.releasedAt != nil {
                let answer = ContentItemAnswer(
                    .released(license), to: request.id, in: holder.language, at: context.now)
                return .init(reply: ContentReply { $0.item(answer) }, extra: true)
            }
            guard state.hasReadLicenses(of: license.enrolment) else {
                return .init(reply: ContentReply { _ in }, extra: false, needs: [license.enrolment])
            }
            let others = state.licenses.values.filter { $0.id != id }
            let decision = license.giveBack(
                others: others, device: state.device(holder.device, in: license.enrolment), by: .device,
                at: context.now)
            if case .granted(let consequences) = decision { state.apply(consequences) }
            let after = state.licenses[id] ?? license
            let answer = ContentAnswer(
                outcome: .terminal, license: after, reasons: after.stop.map { [.contentStopped($0)] } ?? [])
            let itemAnswer = ContentItemAnswer(answer, to: request.id, in: holder.language, at: context.now)
            let reply = ContentReply { $0.item(itemAnswer) }
            return .init(reply: reply, extra: true)
        }
    }
}

extension HolderState {
    /// The enrolments whose licenses on the device must be read before a response can be saved.
    ///
    /// A device is no longer active in an enrolment once its last license there has moved away. So the device's other
    /// licenses there must be known.
    func needs(_ answer: ContentAnswer, after before: ContentLicense?) -> Set<EnrolmentID> {
        guard let before, let after = answer.license, after.enrolment != before.enrolment,
            !hasReadLicenses(of: before.enrolment)
        else { return [] }
        return [before.enrolment]
    }
}
