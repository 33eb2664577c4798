#if canImport(AVFoundation)
    public import AVFoundation
    import Dispatch
    public import Foundation

    /// FairPlay's persistable keys, from the vendor's key server.
    ///
    /// ```swift
    /// configuration.keySystem = FairPlayKeys(certificate: certificate) { content, request in
    ///     try await keyServer.key(for: content, request)      // with a token of the vendor's
    /// } deletion: { content, proof in
    ///     try await keyServer.deleted(content, proof)
    /// }
    /// ```
    public final class FairPlayKeys: PersistableKeySystem {
        /// Sends what FairPlay wants the key server to have, the SPC, and answers what that said to it, the CKC; for a
        /// deletion its proof, to which nothing is to be said.
        public typealias Exchange = @Sendable (_ content: String, _ request: Data) async throws -> Data

        fileprivate let certificate: Data
        fileprivate let exchange: Exchange
        private let deletion: @Sendable (_ content: String, _ proof: Data) async throws -> Void

        /// Keeps keys by the vendor's FairPlay certificate.
        public init(
            certificate: Data, exchange: @escaping Exchange,
            deletion: @escaping @Sendable (_ content: String, _ proof: Data) async throws -> Void
        ) {
            self.certificate = certificate
            self.exchange = exchange
            self.deletion = deletion
        }

        /// Gets a new key, in a session of its own.
        public func newKey(_ identifier: String, for content: String) async throws -> Data {
            // A session that has the key loaded asks for none, so each has one of its own, for as long as it asks.
            let session = AVContentKeySession(keySystem: .fairPlayStreaming)
            let asking = NewKey(identifier, content, self)
            session.setDelegate(asking, queue: DispatchQueue(label: "tenure.content.key"))
            defer { session.setDelegate(nil, queue: nil) }
            return try await asking.key(in: session)
        }

        /// Makes a kept key useless, and answers FairPlay's proof of it.
        public func delete(_ key: Data, of content: String) async throws -> Data {
            let session = AVContentKeySession(keySystem: .fairPlayStreaming)
            return try await withCheckedThrowingContinuation { answer in
                session.invalidatePersistableContentKey(key, options: nil) { proof, error in
                    answer.resume(with: proof.map { .success($0) } ?? .failure(error ?? FairPlayError.noAnswer))
                }
            }
        }

        /// Hands a proof to the vendor's key server.
        public func tell(deletion proof: Data, of content: String) async throws { try await deletion(content, proof) }
    }

    /// Why FairPlay gave no key.
    public enum FairPlayError: Error, Sendable {
        /// It answered neither with a key nor with an error.
        case noAnswer
    }

    /// One key that is asked for.
    private final class NewKey: NSObject, AVContentKeySessionDelegate, @unchecked Sendable {
        // Sendable by `lock`, which guards `waiting`.
        private let lock = NSLock()
        private var waiting: CheckedContinuation<Data, any Error>?
        private let identifier: String
        private let content: String
        private let keys: FairPlayKeys

        init(_ identifier: String, _ content: String, _ keys: FairPlayKeys) {
            self.identifier = identifier
            self.content = content
            self.keys = keys
        }

        func key(in session: AVContentKeySession) async throws -> Data {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock { waiting = continuation }
                session.processContentKeyRequest(withIdentifier: identifier, initializationData: nil, options: nil)
            }
        }

        func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest) {
            do {
                try keyRequest.respondByRequestingPersistableContentKeyRequestAndReturnError()
            } catch {
                end(.failure(error))
            }
        }

        func contentKeySession(
            _ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest
        ) {
            let asked = AskedKey(keyRequest)
            let name = Data(identifier.utf8)
            keyRequest.makeStreamingContentKeyRequestData(
                forApp: keys.certificate, contentIdentifier: name, options: nil
            ) { request, error in
                guard let request else { return self.end(.failure(error ?? FairPlayError.noAnswer)) }
                Task {
                    do {
                        let answer = try await self.keys.exchange(self.content, request)
                        self.end(.success(try asked.key(from: answer)))
                    } catch {
                        self.end(.failure(error))
                    }
                }
            }
        }

        func contentKeySession(
            _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest,
            didFailWithError error: any Error
        ) {
            end(.failure(error))
        }

        /// Only the first end counts.
        private func end(_ result: Result<Data, any Error>) {
            let waiting = lock.withLock {
                defer { self.waiting = nil }
                return self.waiting
            }
            waiting?.resume(with: result)
        }
    }

    /// A request for a key, answered from wherever the answer comes.
    private struct AskedKey: @unchecked Sendable {
        // Sendable since FairPlay's requests are made to be answered later, from any thread, and this one is, once.
        private let request: AVPersistableContentKeyRequest

        init(_ request: AVPersistableContentKeyRequest) { self.request = request }

        func key(from answer: Data) throws -> Data {
            try request.persistableContentKey(fromKeyVendorResponse: answer, options: nil)
        }

        func answer(with key: Data?) {
            guard let key else { return request.processContentKeyResponseError(FairPlayError.noAnswer) }
            request.processContentKeyResponse(AVContentKeyResponse(fairPlayStreamingKeyResponseData: key))
        }
    }

    /// Answers a player's own key session with the keys that a library keeps, and keeps what FairPlay makes of them at the
    /// first play. Make one, give it to the session, and keep it.
    ///
    /// ```swift
    /// let session = AVContentKeySession(keySystem: .fairPlayStreaming)
    /// session.setDelegate(FairPlayDelegate(library, content: "lesson-1"), queue: queue)
    /// session.addContentKeyRecipient(asset)
    /// ```
    public final class FairPlayDelegate: NSObject, AVContentKeySessionDelegate, Sendable {
        private let library: ContentLibrary
        private let content: String

        /// Answers for one content of a library.
        public init(_ library: ContentLibrary, content: String) {
            self.library = library
            self.content = content
        }

        /// Asks for the request that a kept key answers.
        public func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest) {
            // Kept keys are given to a persistable request alone.
            do {
                try keyRequest.respondByRequestingPersistableContentKeyRequestAndReturnError()
            } catch {
                keyRequest.processContentKeyResponseError(error)
            }
        }

        /// Answers with the kept key.
        public func contentKeySession(
            _ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest
        ) {
            let asked = AskedKey(keyRequest)
            Task { [library, content] in asked.answer(with: await library.key(content)) }
        }

        /// Keeps what FairPlay made of the key.
        public func contentKeySession(
            _ session: AVContentKeySession, didUpdatePersistableContentKey persistableContentKey: Data,
            forContentKeyIdentifier keyIdentifier: Any
        ) {
            guard let identifier = keyIdentifier as? String else { return }
            Task { [library] in try? await library.keyChanged(identifier, to: persistableContentKey) }
        }
    }
#endif
