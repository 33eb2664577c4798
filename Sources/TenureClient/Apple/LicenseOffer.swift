#if canImport(SwiftUI)
    import SwiftUI

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
