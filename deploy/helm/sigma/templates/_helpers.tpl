{{- define "sigma.name" -}}
{{- if contains "sigma" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-sigma" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What never changes of a pod, by its role: (dict "root" . "role" "web") */}}
{{- define "sigma.selector" -}}
app.kubernetes.io/name: sigma
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "sigma.labels" -}}
{{ include "sigma.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "sigma.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What all pods may not do: (nothing, as nobody, on a root that nobody writes to) */}}
{{- define "sigma.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "sigma.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The server ends 20 s after SIGTERM at the latest, which comes after preStop. */}}
{{- define "sigma.drain" -}}
{{ add .Values.drain.preStopSeconds 25 }}
{{- end }}

{{- define "sigma.preStop" -}}
preStop:
  exec:
    command: ["node", "-e", "setTimeout(() => {}, {{ mul .Values.drain.preStopSeconds 1000 }})"]
{{- end }}

{{/* Not all on one machine, as far as there are several. */}}
{{- define "sigma.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "sigma.selector" . | nindent 6 }}
{{- end }}
