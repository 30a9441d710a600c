"""The dashboard: a Streamlit app over the published file."""
