#if canImport(SwiftUI)
    public import SwiftUI

    /// The state of the license, why, and what can be done about it: type a key, start the trial, ask the server, give the
    /// place back.
    ///
    /// Its sentences are the explanation's, in English. An app that wants other words makes a view of its own from
    /// ``LicenseManager/state`` and ``LicenseManager/explanation``; this one does nothing that it could not.
    public struct LicenseStatus: View {
        @ObservedObject private var manager: LicenseManager
        @State private var key = ""
        @State private var isBusy = false
        @State private var told: String?

        /// Shows the license that a manager keeps.
        public init(_ manager: LicenseManager) {
            self.manager = manager
        }

        /// The state in words, what was answered last, and the buttons.
        public var body: some View {
            let card = StatusCard(manager.state, manager.explanation)
            VStack(alignment: .leading, spacing: 8) {
                Text(verbatim: card.title).font(.headline)
                Text(verbatim: card.message)
                if let cure = card.cure { Text(verbatim: cure).foregroundStyle(.secondary) }
                if let told { Text(verbatim: told).font(.callout).textSelection(.enabled) }
                ForEach(card.offers, id: \.self) { offer in
                    LicenseOffer(offer, key: $key) { perform(offer) }
                }
                .disabled(isBusy)
                if isBusy { ProgressView() }
            }
        }

        private func perform(_ offer: StatusCard.Offer) {
            guard !isBusy else { return }
            isBusy = true
            told = nil
            Task {
                told = await answer(to: offer)
                isBusy = false
            }
        }

        /// What came of it, for people; nil when the new state says it all.
        private func answer(to offer: StatusCard.Offer) async -> String? {
            do throws(LicenseError) {
                switch offer {
                case .startTrial: return try await manager.startTrial().told
                case .activate:
                    let told = try await manager.activate(key).told
                    if told == nil { key = "" }
                    return told
                case .deactivate: return try await manager.deactivate().told
                case .check: return await manager.checkNow().told
                }
            } catch {
                return error.message
            }
        }
    }

    extension LicenseAnswer {
        /// The reason and its cure, when it was not done.
        fileprivate var told: String? {
            switch self {
            case .done: nil
            case .refused(let why), .unreached(let why): why.reasons.first.map { "\($0.message) \($0.cure)" }
            }
        }
    }

    /// One thing that can be done about a license: a button, and for a license key the field to type it in.
    struct LicenseOffer: View {
        private let offer: StatusCard.Offer
        @Binding private var key: String
        private let act: @MainActor () -> Void

        init(_ offer: StatusCard.Offer, key: Binding<String>, act: @escaping @MainActor () -> Void) {
            self.offer = offer
            _key = key
            self.act = act
        }

        var body: some View {
            switch offer {
            case .startTrial: Button("Start trial", action: act)
            case .check: Button("Check now", action: act)
            case .deactivate: Button("Deactivate on this device", role: .destructive, action: act)
            case .activate:
                HStack {
                    TextField("License key", text: $key).autocorrectionDisabled().onSubmit(act)
                    Button("Activate", action: act).disabled(key.allSatisfy(\.isWhitespace))
                }
            }
        }
    }
#endif
