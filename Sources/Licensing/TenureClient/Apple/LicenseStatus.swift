#if canImport(SwiftUI)
    public import SwiftUI
    import TenureCore

    /// Shows the license's state, the reason for it, and buttons for what the user can do.
    ///
    /// The buttons activate a license key, start the trial, check with the server and deactivate the license.
    ///
    /// The texts are in the language of the explanation. To use other texts, build your own view from
    /// ``LicenseManager/state`` and ``LicenseManager/explanation``; this view can do nothing that your own view can't.
    public struct LicenseStatus: View {
        @ObservedObject private var manager: LicenseManager
        @State private var key = ""
        @State private var isBusy = false
        @State private var message: String?

        /// Creates a view of a manager's license; the buttons act on that manager.
        public init(_ manager: LicenseManager) {
            self.manager = manager
        }

        /// The state in words, the result of the last action, and the buttons.
        public var body: some View {
            let card = StatusCard(manager.state, manager.explanation)
            VStack(alignment: .leading, spacing: 8) {
                Text(verbatim: card.title).font(.headline)
                Text(verbatim: card.message)
                if let cure = card.cure { Text(verbatim: cure).foregroundStyle(.secondary) }
                if let message { Text(verbatim: message).font(.callout).textSelection(.enabled) }
                ForEach(card.offers, id: \.self) { offer in
                    LicenseOffer(offer, of: card, key: $key) { perform(offer) }
                }
                .disabled(isBusy)
                if isBusy { ProgressView() }
            }
        }

        private func perform(_ offer: StatusCard.Offer) {
            guard !isBusy else { return }
            isBusy = true
            message = nil
            Task {
                message = await answer(to: offer)
                isBusy = false
            }
        }

        /// Performs an action and returns its result in words; `nil` if it succeeded, since the view then shows the new
        /// state.
        private func answer(to offer: StatusCard.Offer) async -> String? {
            do throws(LicenseError) {
                switch offer {
                case .startTrial: return try await manager.startTrial().text
                case .activate:
                    let message = try await manager.activate(key).text
                    if message == nil { key = "" }
                    return message
                case .deactivate: return try await manager.deactivate().text
                case .check: return await manager.checkNow().text
                }
            } catch {
                let language = TextLanguage(preferring: [])
                let texts = error.texts(in: language)
                return language.row([texts.message, texts.cure])
            }
        }
    }

    extension LicenseAnswer {
        /// The reason and its remedy if the action failed; otherwise `nil`.
        fileprivate var text: String? {
            switch self {
            case .done: nil
            case .refused(let why), .unreached(let why):
                why.reasons.first.map { why.style.language.row([$0.message, $0.cure]) }
            }
        }
    }

    /// A button for one action; for activating, also a field for the license key.
    struct LicenseOffer: View {
        private let offer: StatusCard.Offer
        private let card: StatusCard
        @Binding private var key: String
        private let act: @MainActor () -> Void

        init(
            _ offer: StatusCard.Offer, of card: StatusCard, key: Binding<String>, act: @escaping @MainActor () -> Void
        ) {
            self.offer = offer
            self.card = card
            _key = key
            self.act = act
        }

        var body: some View {
            switch offer {
            case .startTrial, .check: Button(action: act) { Text(verbatim: card.label(of: offer)) }
            case .deactivate:
                Button(role: .destructive, action: act) { Text(verbatim: card.label(of: offer)) }
            case .activate:
                HStack {
                    TextField(text: $key) { Text(verbatim: card.keyLabel) }.autocorrectionDisabled().onSubmit(act)
                    Button(action: act) { Text(verbatim: card.label(of: offer)) }
                        .disabled(key.allSatisfy(\.isWhitespace))
                }
            }
        }
    }
#endif
