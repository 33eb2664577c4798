import TenureFormats

extension TenureService {
    /// Looks for more keys: those that a trusted one vouches for, or where the app believes them, those that are served.
    func fetchKeys() async throws(Unreached) {
        switch trust {
        case .pinned: try await fetchVouched()
        case .served: try await fetchServed()
        }
    }

    private func fetchVouched() async throws(Unreached) {
        let asked = requests.keyset(trusted: keys.trusted.kids)
        let object = try object(of: await exchange.send(asked.request))
        let bindings = StatementBindings(product: requests.address.product, occasion: .answer(to: asked.nonce))
        do throws(FormatError) {
            let bytes = Array((object.string("keyset").value ?? "").utf8)
            let keyset = try UnverifiedTenureKeyset(compact: bytes).verify(bindings, trusting: keys.trusted)
            try keys.adopt(keyset, signed: bytes)
        } catch {
            throw Unreached(.unverified, "No key that this app trusts vouches for the server's keys; a newer app may.")
        }
    }

    private func fetchServed() async throws(Unreached) {
        let object = try object(of: await exchange.send(requests.shownKeyset()))
        guard let keyset = try? KeylightKeyset(object) else {
            throw Unreached(.unverified, "The server's keyset cannot be read.")
        }
        keys.learn(keyset.trusted)
    }

    private func object(of reply: Reply) throws(Unreached) -> FlatObject {
        switch reply {
        case .nothing(let unreached): throw unreached
        case .said(200...299, let object): return object
        case .said(let status, _):
            throw Unreached(.misconfigured, "The license server shows no keyset (\(status)).")
        }
    }
}
